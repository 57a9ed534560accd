import { policyDocument } from "./policy-document";

/** Most characters of a role's name (IAM and STS quotas). */
export const IAM_ROLE_NAME = 64;

/** Trust policy of a role that an AWS service takes on by itself. */
export function assumedBy(service: string): string {
  return policyDocument([{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }]);
}

/**
 * Trust policy of a role that the pods of one service account have through EKS Pod Identity, whose sessions carry tags.
 *
 * Without the condition on those, every association in the account could name the role.
 */
export function assumedByPods(clusterName: string, namespace: string, serviceAccount: string): string {
  return policyDocument([
    {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
      Condition: {
        StringEquals: {
          "aws:RequestTag/eks-cluster-name": clusterName,
          "aws:RequestTag/kubernetes-namespace": namespace,
          "aws:RequestTag/kubernetes-service-account": serviceAccount,
        },
      },
    },
  ]);
}
