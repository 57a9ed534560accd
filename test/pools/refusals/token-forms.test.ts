import { Fn, TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  Capacity,
  ClusterPlacement,
  GpuSharing,
  JoinMethod,
  NodeImage,
  NodeRole,
  NodeTaint,
  VolumeEncryption,
  Workload,
} from "cdktf-elastic-gpu";
import { refusalOf, synthPool } from "../../support/pool";
import { inPool, listToken, numberToken, Refusal, textToken } from "../../support/samples";
import { theOne } from "../../support/synth";

/** What a pool is asked for with one text, and the property that the text is in. */
type WithText = [property: string, (text: any) => object];

const availabilityZones = ["us-east-1a"];
const imageId = "ami-0123456789abcdef0";
const roleArn = "arn:aws:iam::111122223333:role/node";
const policyArn = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore";
const custom = (more: object) => NodeImage.custom({ imageId, join: JoinMethod.nodeadm(), ...more });

const TEXTS: WithText[] = [
  ["name", (name) => ({ name })],
  ["kubernetesVersion", (kubernetesVersion) => ({ kubernetesVersion })],
  ["subnetIds[1]", (id) => ({ subnetIds: ["subnet-0aaa", id] })],
  ["securityGroupIds[1]", (id) => ({ securityGroupIds: ["sg-0aaa", id] })],
  ['labels["team"]', (team) => ({ labels: { team } })],
  ['tags["team"]', (team) => ({ tags: { team } })],
  ['taints["team"]', (team) => ({ taints: [NodeTaint.noSchedule("team", team)] })],
  ["workload", (name) => ({ workload: Workload.named(name) })],
  ["costAllocation.team", (team) => ({ costAllocation: { team } })],
  ["costAllocation.workload", (workload) => ({ costAllocation: { team: "ml", workload } })],
  ["costAllocation.environment", (environment) => ({ costAllocation: { team: "ml", environment } })],
  [
    "capacity.reservationId",
    (reservationId) => ({ availabilityZones, capacity: Capacity.reservation({ reservationId }) }),
  ],
  ["capacity.resourceGroupArn", (resourceGroupArn) => ({ capacity: Capacity.reservationGroup({ resourceGroupArn }) })],
  ["placement", (name) => ({ availabilityZones, placement: ClusterPlacement.existing(name) })],
  ["rootVolume.encryption", (arn) => ({ rootVolume: { encryption: VolumeEncryption.customerKey(arn) } })],
  ["nodeRole.roleArn", (arn) => ({ nodeRole: NodeRole.existing({ roleArn: arn }) })],
  ["nodeRole.roleName", (roleName) => ({ nodeRole: NodeRole.existing({ roleArn, roleName }) })],
  ["nodeRole.managedPolicyArns[1]", (arn) => ({ nodeRole: NodeRole.own({ managedPolicyArns: [policyArn, arn] }) })],
  ["image.imageId", (id) => ({ image: custom({ imageId: id }) })],
  ["image.rootDeviceName", (rootDeviceName) => ({ image: custom({ rootDeviceName }) })],
  ["image.releaseVersion", (releaseVersion) => ({ image: NodeImage.al2023Nvidia({ releaseVersion }) })],
];

describe("what stands for anything is no text", () => {
  test.each(TEXTS)("%s", (property, choices) => {
    const refusal = refusalOf((stack: TerraformStack) =>
      choices(new TerraformVariable(stack, "any", { type: "any" }).value),
    );
    expect(refusal).toEqual(
      inPool([
        `${property}: must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()`,
      ]),
    );
  });

  test("a key of a taint", () => {
    expect(
      refusalOf((stack: TerraformStack) => ({ taints: [NodeTaint.noSchedule(numberToken(stack) as any)] })),
    ).toEqual(
      inPool([
        "taints[0]: must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()",
      ]),
    );
  });
});

describe("a number token is not found within a text", () => {
  test.each(TEXTS)("%s", (property, choices) => {
    expect(refusalOf((stack: TerraformStack) => choices(`pool-${numberToken(stack)}`))).toEqual(
      inPool([
        `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`,
      ]),
    );
  });
});

describe("a list token has no form within a text", () => {
  test.each(TEXTS)("%s", (property, choices) => {
    expect(refusalOf((stack: TerraformStack) => choices(`pool-${listToken(stack)}`))).toEqual(
      inPool([`${property}: must not have a list token within text, got: a token. Join the list with Fn.join()`]),
    );
  });
});

test.each<[string, (stack: TerraformStack) => string, string]>([
  ["Token.asString", (stack) => `pool-${Token.asString(numberToken(stack))}`, "pool-${var.number}"],
  ["Fn.tostring", (stack) => `pool-${Fn.tostring(numberToken(stack))}`, "pool-${tostring(var.number)}"],
  ["Fn.join", (stack) => `pool-${Fn.join("-", listToken(stack))}`, 'pool-${join("-", var.list)}'],
])("%s gives what stands in a text", (_, name, rendered) => {
  const { json } = synthPool((stack) => ({ name: name(stack) }));
  expect(theOne(json, "aws_eks_node_group").node_group_name).toBe(rendered);
});

test("a large number within a text is no token", () => {
  expect(theOne(synthPool({ tags: { limit: "1.5e+300" } }).json, "aws_launch_template").tags.limit).toBe("1.5e+300");
});

test.each<Refusal>([
  [
    "a number",
    (stack: TerraformStack) => ({ maxNodes: new TerraformVariable(stack, "any", { type: "any" }).value }),
    [
      "maxNodes: must be a whole number of at least 1, got: a token. Use numberValue of the variable, or Token.asNumber()",
    ],
  ],
  [
    "a number as text",
    (stack: TerraformStack) => ({ maxNodes: textToken(stack) }),
    [
      "maxNodes: must be a whole number of at least 1, got: a token. Use numberValue of the variable, or Token.asNumber()",
    ],
  ],
  [
    "a count that must be known",
    (stack: TerraformStack) => ({
      sharing: GpuSharing.mps({ replicas: new TerraformVariable(stack, "any", { type: "any" }).value }),
    }),
    [
      "sharing: must have literal replicas or profile, because the count of GPUs that nodes offer follows from it, got: a token. Write it out",
    ],
  ],
])("a token is not of the form of %s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));

describe("what Terraform's own syntax refers to is no token, and checked like any text", () => {
  test.each<Refusal>([
    [
      "a release",
      { image: NodeImage.al2023Nvidia({ releaseVersion: "${var.release}" }) },
      ["image: releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: ${var.release}"],
    ],
    [
      "an image",
      { image: custom({ imageId: "${var.image}" }) },
      ["image: imageId must be an AMI id such as ami-0123456789abcdef0, got: ${var.image}"],
    ],
  ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
});
