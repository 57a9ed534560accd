import { IGpuCluster } from "../../cluster";
import { Statement } from "../pod-identity";

/** What it may do (Cluster Autoscaler, cloudprovider/aws, permissions): look at all groups, and resize those of its cluster. */
export function autoscalerStatements({ clusterName }: IGpuCluster, partition: string): Statement[] {
  return [
    {
      Sid: "FindGroups",
      Effect: "Allow",
      Action: [
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeAutoScalingInstances",
        "autoscaling:DescribeLaunchConfigurations",
        "autoscaling:DescribeScalingActivities",
        "autoscaling:DescribeTags",
      ],
      // None of them takes an ARN.
      Resource: "*",
    },
    {
      Sid: "KnowInstances",
      Effect: "Allow",
      Action: [
        "ec2:DescribeImages",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeLaunchTemplateVersions",
        "ec2:GetInstanceTypesFromInstanceRequirements",
      ],
      // Nor do these.
      Resource: "*",
    },
    {
      Sid: "KnowManagedGroups",
      Effect: "Allow",
      Action: ["eks:DescribeNodegroup"],
      Resource: `arn:${partition}:eks:*:*:nodegroup/${clusterName}/*/*`,
    },
    {
      Sid: "ResizeGroupsOfCluster",
      Effect: "Allow",
      Action: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
      Resource: `arn:${partition}:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/*`,
      // EKS sets this tag on the groups of managed node groups, and pools on their own.
      Condition: { StringEquals: { [`aws:ResourceTag/k8s.io/cluster-autoscaler/${clusterName}`]: "owned" } },
    },
  ];
}
