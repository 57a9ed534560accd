// The same pools as a person writes them with the provider's classes alone, who knows every label, tag and name by heart.
const { AutoscalingGroupTagA } = require("@cdktf/provider-aws/lib/autoscaling-group-tag");
const { DataAwsPartition } = require("@cdktf/provider-aws/lib/data-aws-partition");
const { EksNodeGroup } = require("@cdktf/provider-aws/lib/eks-node-group");
const { IamRole } = require("@cdktf/provider-aws/lib/iam-role");
const { IamRolePolicyAttachment } = require("@cdktf/provider-aws/lib/iam-role-policy-attachment");
const { LaunchTemplate } = require("@cdktf/provider-aws/lib/launch-template");
const { Token } = require("cdktf");
const { Construct } = require("constructs");

const nodeTemplate = "k8s.io/cluster-autoscaler/node-template";
const labels = {
  "k8s.amazonaws.com/accelerator": "nvidia-l4",
  "node-tier": "on-demand",
  "nvidia.com/gpu.present": "true",
  "workload-type": "inference",
};
/** Construct id, key and value of each tag that the Cluster Autoscaler reads. */
const autoscalerTags = [
  ["Tag-label-node-tier-909a8bfc", `${nodeTemplate}/label/node-tier`, "on-demand"],
  ["Tag-nvidia-com-gpu-present-8d455f65", `${nodeTemplate}/label/nvidia.com/gpu.present`, "true"],
  ["Tag-k8s-amazonaws-com-accelerator-b94f6f15", `${nodeTemplate}/label/k8s.amazonaws.com/accelerator`, "nvidia-l4"],
  ["Tag-label-workload-type-0d3d7311", `${nodeTemplate}/label/workload-type`, "inference"],
  ["Tag-nvidia-com-gpu-7cd89692", `${nodeTemplate}/taint/nvidia.com/gpu`, "present:NoSchedule"],
  ["Tag-nvidia-com-gpu-c38a48d0", `${nodeTemplate}/resources/nvidia.com/gpu`, "4"],
  ["Tag-resources-ephemeral-storage-ceedf1b8", `${nodeTemplate}/resources/ephemeral-storage`, "88Gi"],
];

/** @typedef {{ id: string, templateName: string, roleName: string }} Pool with the names it is to have in AWS */

/** @param {import("cdktf").TerraformStack} stack @param {Pool[]} pools */
exports.addPools = (stack, pools) => {
  const { partition } = new DataAwsPartition(stack, "elastic-gpu-partition");
  for (const pool of pools) addPool(stack, pool, partition);
};

/** @param {import("cdktf").TerraformStack} stack @param {Pool} pool @param {string} partition */
function addPool(stack, { id, templateName, roleName }, partition) {
  const scope = new Construct(stack, id);
  const role = new IamRole(scope, "Role", {
    name: roleName,
    description: "Nodes of one GPU pool",
    assumeRolePolicy: JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
    }),
    tags: {},
  });
  const policies = ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"].map(
    (name) =>
      new IamRolePolicyAttachment(scope, `Policy-${name}`, {
        role: role.name,
        policyArn: `arn:${partition}:iam::aws:policy/${name}`,
      }),
  );
  const template = new LaunchTemplate(scope, "LaunchTemplate", {
    name: templateName,
    description: `Nodes of the GPU pool ${stack.node.id}/${id}`,
    updateDefaultVersion: true,
    blockDeviceMappings: [
      {
        deviceName: "/dev/xvda",
        ebs: { volumeSize: 100, volumeType: "gp3", encrypted: "true", deleteOnTermination: "true" },
      },
    ],
    ebsOptimized: "true",
    metadataOptions: {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: 1,
      instanceMetadataTags: "disabled",
    },
    vpcSecurityGroupIds: ["sg-0123456789abcdef0"],
    tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
      resourceType,
      tags: { Name: `${stack.node.id}-${id}` },
    })),
    tags: {},
  });
  const group = new EksNodeGroup(scope, "Resource", {
    clusterName: "prod",
    nodeGroupNamePrefix: `${stack.node.id}-${id}-`,
    nodeRoleArn: role.arn,
    subnetIds: ["subnet-0aaa", "subnet-0bbb"],
    capacityType: "ON_DEMAND",
    instanceTypes: ["g6.12xlarge"],
    amiType: "AL2023_x86_64_NVIDIA",
    version: "1.34",
    scalingConfig: { minSize: 0, maxSize: 20, desiredSize: 0 },
    launchTemplate: { id: template.id, version: Token.asString(template.latestVersion) },
    labels,
    taint: [{ key: "nvidia.com/gpu", value: "present", effect: "NO_SCHEDULE" }],
    updateConfig: { maxUnavailable: 1 },
    tags: {},
    dependsOn: policies,
    lifecycle: { createBeforeDestroy: true, ignoreChanges: ["scaling_config[0].desired_size"] },
  });
  const autoscalingGroupName = group.resources.get(0).autoscalingGroups.get(0).name;
  for (const [tagId = "", key = "", value = ""] of autoscalerTags) {
    new AutoscalingGroupTagA(scope, tagId, {
      autoscalingGroupName,
      tag: { key, value, propagateAtLaunch: false },
    });
  }
}
