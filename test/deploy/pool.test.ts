import { TerraformStack } from "cdktf";
import { ElasticGpuNodePool, ElasticGpuNodePoolProps, GpuCluster, NodeGroupType, Workload } from "cdktf-elastic-gpu";
import { describeWhere, findSimulatedAws } from "../support/rig";
import { Deployment, Site } from "../support/site";

type PoolProps = Omit<ElasticGpuNodePoolProps, "cluster">;

const managed: PoolProps = { instanceTypes: ["g6.12xlarge"], maxNodes: 20, workload: Workload.inference() };
const selfManaged: PoolProps = { ...managed, nodeGroupType: NodeGroupType.SELF_MANAGED };

describeWhere("deployed and destroyed", findSimulatedAws(), (aws) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.prepare(aws);
  });
  afterAll(() => site?.stop());

  describe.each([
    ["a managed pool", managed, "aws_eks_node_group"],
    ["a self-managed pool", selfManaged, "aws_autoscaling_group"],
  ])("%s", (_, props, group) => {
    let deployment: Deployment;
    const pool = (changes: Partial<PoolProps>) => (stack: TerraformStack) => {
      const cluster = GpuCluster.fromAttributes(stack, "cluster", site.cluster);
      new ElasticGpuNodePool(stack, "inference", { cluster, ...props, ...changes });
    };

    beforeAll(() => {
      deployment = new Deployment(site);
    });

    test("applies, and then plans no difference", () => {
      deployment.program(pool({}));
      deployment.terraform.apply();
      expect(deployment.terraform.planStatus()).toBe(0);
    });

    test("changes its bounds and labels in place", () => {
      deployment.program(pool({ maxNodes: 30, labels: { team: "search" } }));
      const { actions } = deployment.terraform.plan();
      expect(Object.values(actions).filter((action) => action.includes("delete"))).toEqual([]);
      expect(Object.entries(actions).filter(([address]) => address.startsWith(`${group}.`))).toEqual([
        [expect.any(String), "update"],
      ]);
      deployment.terraform.apply();
      expect(deployment.terraform.planStatus()).toBe(0);
    });

    test("leaves nothing behind", async () => {
      expect(await site.leftovers()).not.toEqual({});
      deployment.terraform.destroy();
      expect(deployment.terraform.state()).toEqual([]);
      expect(await site.leftovers()).toEqual({});
    });
  });

  test("changes from one kind of group to the other and back", async () => {
    const deployment = new Deployment(site);
    for (const props of [managed, selfManaged, managed]) {
      deployment.program((stack) => {
        const cluster = GpuCluster.fromAttributes(stack, "cluster", site.cluster);
        new ElasticGpuNodePool(stack, "inference", { cluster, ...props });
      });
      deployment.terraform.apply();
      expect(deployment.terraform.planStatus()).toBe(0);
    }
    deployment.terraform.destroy();
    expect(await site.leftovers()).toEqual({});
  });
});
