import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/rig";

/** Runs `npm run synth` in a project that has these programs as its examples. */
function synth(programs: Record<string, string>): { status: number | null; stdout: string; stderr: string } {
  const project = mkdtempSync(join(tmpdir(), "project-"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  for (const [name, program] of Object.entries(programs)) {
    mkdirSync(join(project, "examples", name), { recursive: true });
    writeFileSync(join(project, "examples", name, "main.ts"), program);
  }
  return spawnSync(process.execPath, [join(root, "scripts/synth.mjs")], { cwd: project, encoding: "utf8" });
}

const everyKindOfPool = `
import { AutoscalingGroup } from "@cdktf/provider-aws/lib/autoscaling-group";
import { EksNodeGroup } from "@cdktf/provider-aws/lib/eks-node-group";
import { LaunchTemplate } from "@cdktf/provider-aws/lib/launch-template";
import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { Annotations, App, TerraformStack } from "cdktf";

const app = new App();
const stack = new TerraformStack(app, "fleet");
new AwsProvider(stack, "aws");
Annotations.of(stack).addWarning("nothing scales these pools");
const { id } = new LaunchTemplate(stack, "template", { instanceType: "p5.48xlarge" });
const group = { clusterName: "prod", nodeRoleArn: "arn", subnetIds: ["subnet-1"] };
new EksNodeGroup(stack, "types", {
  ...group,
  nodeGroupName: "inference",
  instanceTypes: ["g6.xlarge", "g6.2xlarge"],
  scalingConfig: { minSize: 0, maxSize: 20, desiredSize: 0 },
});
new EksNodeGroup(stack, "block", {
  ...group,
  nodeGroupNamePrefix: "training-",
  launchTemplate: { id, version: "1" },
  scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
});
new AutoscalingGroup(stack, "plain", { minSize: 0, maxSize: 1, launchTemplate: { id } });
new AutoscalingGroup(stack, "mixed", {
  minSize: 0,
  maxSize: 9,
  mixedInstancesPolicy: {
    launchTemplate: {
      launchTemplateSpecification: { launchTemplateId: id },
      override: [{ instanceType: "g5.xlarge" }, { instanceType: "g5.2xlarge" }],
    },
  },
});
const other = new TerraformStack(app, "network");
new AwsProvider(other, "aws");
app.synth();
`;

test("npm run synth lists every pool, where its JSON is, and every warning", () => {
  const { status, stdout, stderr } = synth({ gpus: everyKindOfPool });
  expect(stdout.split("\n")).toEqual([
    "EXAMPLE  STACK    POOL                         INSTANCE TYPES         NODES  JSON",
    "gpus     fleet    training-*                   p5.48xlarge            2-4    cdktf.out/gpus/stacks/fleet/cdk.tf.json",
    "gpus     fleet    inference                    g6.xlarge, g6.2xlarge  0-20   cdktf.out/gpus/stacks/fleet/cdk.tf.json",
    "gpus     fleet    aws_autoscaling_group.mixed  g5.xlarge, g5.2xlarge  0-9    cdktf.out/gpus/stacks/fleet/cdk.tf.json",
    "gpus     fleet    aws_autoscaling_group.plain  p5.48xlarge            0-1    cdktf.out/gpus/stacks/fleet/cdk.tf.json",
    "gpus     network  none                                                       cdktf.out/gpus/stacks/network/cdk.tf.json",
    "",
  ]);
  expect(stderr).toBe("\nwarn: fleet: nothing scales these pools\n");
  expect(status).toBe(0);
});

test("npm run synth fails with what a program said, and still lists the others", () => {
  const { status, stdout, stderr } = synth({ broken: `throw new Error("maxNodes: 0");`, gpus: everyKindOfPool });
  expect(stderr).toContain("broken failed:");
  expect(stderr).toContain("Error: maxNodes: 0");
  expect(stdout).toContain("gpus     fleet    inference");
  expect(status).toBe(1);
});
