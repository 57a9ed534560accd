import { TerraformStack } from "cdktf";
import { EfaLayout, JoinMethod, NodeGroupType, NodeImage } from "cdktf-elastic-gpu";
import { clusterAttributes, clusterOf, refusalOf } from "../../support/pool";
import { inPool, Refusal, textToken } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("subnets and zones", () => {
    test.each<Refusal>([
      [
        "a zone that the cluster is not in",
        { availabilityZones: ["us-east-1c"] },
        [
          'availabilityZones: must be one or more of the zones that the cluster has a subnet in (us-east-1a and us-east-1b), got: "us-east-1c". Choose among them, leave it out for all, or add a subnet of the zone to the cluster',
        ],
      ],
      [
        "no zone",
        { availabilityZones: [] },
        [
          "availabilityZones: must be one or more of the zones that the cluster has a subnet in (us-east-1a and us-east-1b), got: []. Choose among them, leave it out for all, or add a subnet of the zone to the cluster",
        ],
      ],
      [
        "a subnet that the cluster does not know",
        { subnetIds: ["subnet-0ccc"] },
        [
          'subnetIds: must be one or more of the cluster\'s subnets ("subnet-0aaa" and "subnet-0bbb"), got: "subnet-0ccc". Add the subnet with its zone to the cluster, and pass the same value here',
        ],
      ],
      [
        "no subnet",
        { subnetIds: [] },
        [
          'subnetIds: must be one or more of the cluster\'s subnets ("subnet-0aaa" and "subnet-0bbb"), got: []. Add the subnet with its zone to the cluster, and pass the same value here',
        ],
      ],
      [
        "a subnet outside of the zones",
        { availabilityZones: ["us-east-1a"], subnetIds: ["subnet-0aaa", "subnet-0bbb"] },
        [
          'subnetIds: must lie in the zones of availabilityZones (us-east-1a), got: "subnet-0bbb" in us-east-1b. Remove it, or add its zone',
        ],
      ],
      [
        "a zone without one of the subnets",
        { availabilityZones: ["us-east-1a", "us-east-1b"], subnetIds: ["subnet-0aaa"] },
        [
          'availabilityZones: must each have one of subnetIds, got: "us-east-1b". Name a subnet of the zone, or remove the zone',
        ],
      ],
      [
        "two subnets in a zone and none chosen",
        (stack: TerraformStack) => ({
          cluster: clusterOf(stack, {
            subnets: [...clusterAttributes.subnets, { subnetId: "subnet-0ccc", availabilityZone: "us-east-1a" }],
          }),
        }),
        [
          'subnetIds: must choose one of the subnets in us-east-1a, because an Auto Scaling group would take either, got: "subnet-0aaa" and "subnet-0ccc". Name the subnet of each zone in subnetIds',
        ],
      ],
      [
        "two subnets in a zone and both chosen",
        (stack: TerraformStack) => ({
          subnetIds: ["subnet-0aaa", "subnet-0ccc"],
          cluster: clusterOf(stack, {
            subnets: [...clusterAttributes.subnets, { subnetId: "subnet-0ccc", availabilityZone: "us-east-1a" }],
          }),
        }),
        [
          'subnetIds: must choose one of the subnets in us-east-1a, because an Auto Scaling group would take either, got: "subnet-0aaa" and "subnet-0ccc". Name the subnet of each zone in subnetIds',
        ],
      ],
      [
        "a zone as token",
        (stack: TerraformStack) => ({ availabilityZones: [textToken(stack)] }),
        [
          "availabilityZones: must be literal texts, because they decide which subnets the pool has, got: a token. Write the zones out",
        ],
      ],
      [
        "a subnet as token that the cluster does not know",
        (stack: TerraformStack) => ({ subnetIds: [textToken(stack)] }),
        [
          'subnetIds: must be one or more of the cluster\'s subnets ("subnet-0aaa" and "subnet-0bbb"), got: a token. Add the subnet with its zone to the cluster, and pass the same value here',
        ],
      ],
      [
        "a security group by name",
        { securityGroupIds: ["nodes"] },
        ['securityGroupIds: must be IDs of security groups (sg-…), got: "nodes". Give the ID, not the name or the ARN'],
      ],
      [
        "more security groups than an interface takes, with the cluster's",
        { securityGroupIds: Array.from({ length: 16 }, (_, index) => `sg-${index}`) },
        [
          "securityGroupIds: must be at most 16 on an interface, with the cluster's and the one that EFA adds, got: 17. Gather rules in fewer groups",
        ],
      ],
      [
        "more security groups than an interface takes, with EFA's",
        {
          instanceTypes: ["p5.48xlarge"],
          availabilityZones: ["us-east-1a"],
          efa: EfaLayout.ipOptimised(),
          securityGroupIds: Array.from({ length: 15 }, (_, index) => `sg-${index}`),
        },
        [
          "securityGroupIds: must be at most 16 on an interface, with the cluster's and the one that EFA adds, got: 17. Gather rules in fewer groups",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("nodes that must be told how to join", () => {
    test.each<Refusal>([
      [
        "a self-managed group of a cluster that says nothing",
        (stack: TerraformStack) => ({
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          cluster: clusterOf(stack, { endpoint: undefined, certificateAuthority: undefined, serviceCidr: undefined }),
        }),
        [
          "cluster.endpoint: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
          "cluster.certificateAuthority: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
          "cluster.serviceCidr: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
        ],
      ],
      [
        "a custom image in a managed group",
        (stack: TerraformStack) => ({
          image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.nodeadm() }),
          cluster: clusterOf(stack, { serviceCidr: undefined }),
        }),
        [
          "cluster.serviceCidr: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
        ],
      ],
      [
        "Bottlerocket in a self-managed group",
        (stack: TerraformStack) => ({
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          image: NodeImage.bottlerocketNvidia(),
          cluster: clusterOf(stack, { endpoint: undefined, certificateAuthority: undefined, serviceCidr: undefined }),
        }),
        [
          "cluster.endpoint: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
          "cluster.certificateAuthority: must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
