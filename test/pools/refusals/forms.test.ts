import { SecurityGroup } from "@cdktf/provider-aws/lib/security-group";
import { TerraformStack } from "cdktf";
import { ElasticGpuNodePool } from "cdktf-elastic-gpu";
import { clusterOf, refusalOf } from "../../support/pool";
import { inPool, numberToken, Refusal } from "../../support/samples";
import { problemsOf } from "../../support/synth";

const noObject = (property: string, got: string, example: string) =>
  `${property}: must be an object with properties, got: ${got}. Write ${example}`;
const noMap = (property: string, got: string) =>
  `${property}: must be a map that is written out; its values may be tokens, got: ${got}. Write its keys and values out`;
const noList = (property: string, got: string) =>
  `${property}: must be a list that is written out; its members may be tokens, got: ${got}. List the members one by one`;
const noTypes = (got: string) =>
  `instanceTypes: must be a list of one instance type or more, got: ${got}. Such as ["g6.12xlarge"]`;
const noType = (got: string) =>
  `instanceTypes[0]: must be the name of an instance type, got: ${got}. Such as ["g6.12xlarge"]`;
const noZones = (got: string) =>
  `availabilityZones: must be a list of zones, got: ${got}. Such as ["us-east-1a"], or leave it out`;
const noCluster = (got: string) =>
  `cluster: must be made by new GpuCluster(), GpuCluster.fromAttributes() or GpuCluster.fromName(), got: ${got}. Pass the cluster itself`;
const noMost = (got: string) =>
  `maxNodes: must be a whole number of at least 1, got: ${got}. Set it to the most nodes that may ever run at once`;
const noVcpus = (got: string) =>
  `minVcpusPerGpu: must be a literal number above 0, because types are held against it, got: ${got}. Give the vCPUs that feed one accelerator`;
const noFlag = (got: string) =>
  `associatePublicIpAddress: must be true or false, got: ${got}. Leave it out and the subnet decides`;
const noShare = (got: string) =>
  `scaleDown.gpuUtilizationThreshold: must be a number from 0 to 1, got: ${got}. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own`;
const noTaint = (got: string) =>
  `taints[0]: must be made by NodeTaint.noSchedule(), .preferNoSchedule() or .noExecute(), got: ${got}. Call one of them`;

describe("a pool is refused with what a program without types gives in the place of", () => {
  describe("props", () => {
    test.each([
      ["nothing", undefined, "undefined"],
      ["null", null, "null"],
      ["text", "pool", '"pool"'],
      ["a list", [], "[]"],
    ])("%s", (_, props: any, got) => {
      expect(problemsOf((stack) => new ElasticGpuNodePool(stack, "pool", props))).toBe(
        `test/pool: ${noObject("props", got, "{ cluster: … }")}`,
      );
    });

    test("all that is missing is said at once", () => {
      const props: any = {};
      expect(problemsOf((stack) => new ElasticGpuNodePool(stack, "pool", props)).split("\n")).toEqual(
        inPool([noCluster("undefined"), noTypes("undefined"), noMost("undefined")]),
      );
    });
  });

  describe("objects and maps", () => {
    const volume = (got: string) => [noObject("rootVolume", got, "{ sizeGib: … }, or leave it out")];
    const times = (got: string) => [noObject("scaleDown", got, "{ unneededMinutes: … }, or leave it out")];
    const costs = (got: string) => [noObject("costAllocation", got, "{ team: … }, or leave it out")];
    test.each<Refusal>([
      ["a size for a volume", { rootVolume: 300 }, volume("300")],
      ["no volume", { rootVolume: null }, volume("null")],
      ["minutes for times", { scaleDown: 10 }, times("10")],
      ["no times", { scaleDown: null }, times("null")],
      ["a truth value for costs", { costAllocation: false }, costs("false")],
      ["a list of costs", { costAllocation: ["ml"] }, costs('["ml"]')],
      ["a Map of labels", { labels: new Map([["a", "b"]]) }, [noMap("labels", "an instance of Map")]],
      ["no labels", { labels: null }, [noMap("labels", "null")]],
      ["a Map of tags", { tags: new Map([["a", "b"]]) }, [noMap("tags", "an instance of Map")]],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });

  describe("lists and their members", () => {
    test.each<Refusal>([
      ["no types", { instanceTypes: null }, [noTypes("null")]],
      ["a type without a value", { instanceTypes: [undefined] }, [noType("undefined")]],
      ["a type left out", { instanceTypes: Object.assign(Array(2), { 1: "g6.xlarge" }) }, [noType("undefined")]],
      ["a number for a type", { instanceTypes: [3] }, [noType("3")]],
      ["one zone outside of a list", { availabilityZones: "us-east-1a" }, [noZones('"us-east-1a"')]],
      ["no zones", { availabilityZones: null }, [noZones("null")]],
      [
        "a zone without a value",
        { availabilityZones: [undefined] },
        [
          'availabilityZones: must be one or more of the zones that the cluster has a subnet in (us-east-1a and us-east-1b), got: "undefined". Choose among them, leave it out for all, or add a subnet of the zone to the cluster',
        ],
      ],
      ["no subnets", { subnetIds: null }, [noList("subnetIds", "null")]],
      ["a taint without a value", { taints: [undefined] }, [noTaint("undefined")]],
      ["no taint", { taints: [null] }, [noTaint("null")]],
      ["a taint left out", { taints: Array(1) }, [noTaint("undefined")]],
      [
        "a custom type without a value",
        { customTypes: [undefined] },
        ["customTypes[0]: must be made by AcceleratorType.custom(), got: undefined. Call one of them"],
      ],
      [
        "the security group itself",
        (stack: TerraformStack) => ({ securityGroupIds: [new SecurityGroup(stack, "group")] }),
        ["securityGroupIds[0]: must be text, got: an instance of SecurityGroup. Give text, or leave it out"],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });

  describe("the cluster", () => {
    test.each<Refusal>([
      ["nothing", { cluster: undefined }, [noCluster("undefined")]],
      ["null", { cluster: null }, [noCluster("null")]],
      ["its name", { cluster: "prod" }, [noCluster('"prod"')]],
      ["an object", { cluster: {} }, [noCluster("{}")]],
      [
        "another construct",
        (stack: TerraformStack) => ({ cluster: stack }),
        [noCluster("an instance of TerraformStack")],
      ],
    ])("%s", (_, choices, lines) =>
      expect(
        problemsOf((stack) => {
          const props = typeof choices === "function" ? choices(stack) : choices;
          new ElasticGpuNodePool(stack, "pool", { instanceTypes: ["g6.12xlarge"], maxNodes: 4, ...props });
        }).split("\n"),
      ).toEqual(inPool(lines)),
    );
  });

  describe("numbers, flags and texts", () => {
    test.each<Refusal>([
      ["a number as text", { maxNodes: "3" }, [noMost('"3"')]],
      ["not a number", { maxNodes: NaN }, [noMost("NaN")]],
      [
        "no least",
        { minNodes: null },
        ["minNodes: must be a whole number of at least 0, got: null. Leave it out for a pool that grows from zero"],
      ],
      [
        "no beginning",
        { desiredNodes: null },
        ["desiredNodes: must be a whole number of at least 0, got: null. Leave it out to start at minNodes"],
      ],
      [
        "no size",
        { rootVolume: { sizeGib: null } },
        [
          "rootVolume.sizeGib: must be a whole number from 20 to 65536, got: null. AL2023 NVIDIA needs 20 GiB by itself",
        ],
      ],
      ["vCPUs as text", { minVcpusPerGpu: "4" }, [noVcpus('"4"')]],
      ["no vCPUs", { minVcpusPerGpu: null }, [noVcpus("null")]],
      [
        "vCPUs that only Terraform knows",
        (stack: TerraformStack) => ({ minVcpusPerGpu: numberToken(stack) }),
        [noVcpus("a token")],
      ],
      ["a share as text", { scaleDown: { gpuUtilizationThreshold: "0.5" } }, [noShare('"0.5"')]],
      ["no share", { scaleDown: { gpuUtilizationThreshold: null } }, [noShare("null")]],
      ["a word for a flag", { associatePublicIpAddress: "yes" }, [noFlag('"yes"')]],
      ["no flag", { associatePublicIpAddress: null }, [noFlag("null")]],
      ["no name", { name: null }, ["name: must be text, got: null. Give text, or leave it out"]],
      ["a number for a name", { name: 3 }, ["name: must be text, got: 3. Put it in quotes"]],
      ["a list for a name", { name: ["a"] }, ['name: must be text, got: ["a"]. Give text, or leave it out']],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });

  test("a choice, a construct", () => {
    expect(refusalOf((stack: TerraformStack) => ({ workload: clusterOf(stack) }))).toEqual(
      inPool([
        "workload: must be made by Workload.training(), .inference(), .development() or .named(), got: an instance of ImportedCluster. Call one of them",
      ]),
    );
  });
});
