import { IGpuCluster } from "../../cluster";
import { Statement } from "../pod-identity";

/** What it may do: take messages off its queue, look at instances, and let groups of its cluster go on. */
export function handlerStatements({ clusterName }: IGpuCluster, queueArn: string, partition: string): Statement[] {
  return [
    {
      Sid: "TakeMessages",
      Effect: "Allow",
      Action: ["sqs:DeleteMessage", "sqs:ReceiveMessage"],
      Resource: queueArn,
    },
    {
      Sid: "KnowInstances",
      Effect: "Allow",
      Action: ["autoscaling:DescribeAutoScalingInstances", "autoscaling:DescribeTags", "ec2:DescribeInstances"],
      // None of them takes an ARN.
      Resource: "*",
    },
    {
      Sid: "LetGroupsOfClusterGoOn",
      Effect: "Allow",
      Action: ["autoscaling:CompleteLifecycleAction"],
      Resource: `arn:${partition}:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/*`,
      // Pools set this tag on their groups, for the Cluster Autoscaler.
      Condition: { StringEquals: { [`aws:ResourceTag/k8s.io/cluster-autoscaler/${clusterName}`]: "owned" } },
    },
  ];
}
