import { IGpuCluster } from "../cluster";
import { Statement } from "./pod-identity";

/** The tag that the controller sets on everything it makes, with the cluster's name. */
const CLUSTER_TAG = "elbv2.k8s.aws/cluster";

/**
 * What it may do: the policy that the controller's project publishes (docs/install/iam_policy.json), with two differences.
 *
 * Where that one asks for the cluster's tag to be there, this one asks for the name of this cluster; and what it
 * permits on everything is limited to the cluster's VPC, or to what no other cluster has marked as its own.
 */
export function loadBalancerStatements({ clusterName, vpcId }: IGpuCluster, partition: string): Statement[] {
  const arn = (service: string, resource: string): string => `arn:${partition}:${service}:*:*:${resource}`;
  const elb = (...resources: string[]): string[] => resources.map((each) => arn("elasticloadbalancing", each));
  const loadBalancers = elb("loadbalancer/app/*/*", "loadbalancer/net/*/*");
  const targetGroups = elb("targetgroup/*/*");
  const listeners = elb("listener/app/*/*/*", "listener/net/*/*/*");
  const rules = elb("listener-rule/app/*/*/*", "listener-rule/net/*/*/*");
  const securityGroups = arn("ec2", "security-group/*");

  const requested = { [`aws:RequestTag/${CLUSTER_TAG}`]: clusterName };
  const owned = { [`aws:ResourceTag/${CLUSTER_TAG}`]: clusterName };
  // The tag of what there is may be changed by nobody.
  const keepsTag = { StringEquals: owned, Null: { [`aws:RequestTag/${CLUSTER_TAG}`]: "true" } };
  // Listeners and rules of older versions, and web ACLs, have no such tag; those of another cluster have another.
  const ofNoOther = { StringEqualsIfExists: owned };

  return [
    {
      Sid: "MakeServiceLinkedRole",
      Effect: "Allow",
      Action: ["iam:CreateServiceLinkedRole"],
      Resource: `arn:${partition}:iam::*:role/aws-service-role/elasticloadbalancing.amazonaws.com/*`,
      Condition: { StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" } },
    },
    {
      Sid: "ReadNetwork",
      Effect: "Allow",
      Action: [
        "ec2:DescribeAccountAttributes",
        "ec2:DescribeAddresses",
        "ec2:DescribeAvailabilityZones",
        "ec2:DescribeCoipPools",
        "ec2:DescribeInstances",
        "ec2:DescribeInternetGateways",
        "ec2:DescribeIpamPools",
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeRouteTables",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeSubnets",
        "ec2:DescribeTags",
        "ec2:DescribeVpcPeeringConnections",
        "ec2:DescribeVpcs",
        "ec2:GetCoipPoolUsage",
        "ec2:GetSecurityGroupsForVpc",
      ],
      Resource: "*",
    },
    {
      Sid: "ReadLoadBalancers",
      Effect: "Allow",
      Action: [
        "elasticloadbalancing:DescribeCapacityReservation",
        "elasticloadbalancing:DescribeListenerAttributes",
        "elasticloadbalancing:DescribeListenerCertificates",
        "elasticloadbalancing:DescribeListeners",
        "elasticloadbalancing:DescribeLoadBalancerAttributes",
        "elasticloadbalancing:DescribeLoadBalancers",
        "elasticloadbalancing:DescribeRules",
        "elasticloadbalancing:DescribeSSLPolicies",
        "elasticloadbalancing:DescribeTags",
        "elasticloadbalancing:DescribeTargetGroupAttributes",
        "elasticloadbalancing:DescribeTargetGroups",
        "elasticloadbalancing:DescribeTargetHealth",
        "elasticloadbalancing:DescribeTrustStores",
      ],
      Resource: "*",
    },
    {
      Sid: "ReadWhatListenersUse",
      Effect: "Allow",
      Action: [
        "acm:DescribeCertificate",
        "acm:ListCertificates",
        "cognito-idp:DescribeUserPoolClient",
        "iam:GetServerCertificate",
        "iam:ListServerCertificates",
        "wafv2:GetWebACL",
        "wafv2:GetWebACLForResource",
      ],
      Resource: "*",
    },
    {
      Sid: "MakeSecurityGroupsInVpc",
      Effect: "Allow",
      Action: ["ec2:CreateSecurityGroup"],
      Resource: arn("ec2", `vpc/${vpcId}`),
    },
    {
      Sid: "MakeSecurityGroups",
      Effect: "Allow",
      Action: ["ec2:CreateSecurityGroup"],
      Resource: securityGroups,
      Condition: { StringEquals: requested },
    },
    {
      Sid: "TagNewSecurityGroups",
      Effect: "Allow",
      Action: ["ec2:CreateTags"],
      Resource: securityGroups,
      Condition: { StringEquals: { "ec2:CreateAction": "CreateSecurityGroup", ...requested } },
    },
    {
      Sid: "TagSecurityGroups",
      Effect: "Allow",
      Action: ["ec2:CreateTags", "ec2:DeleteTags"],
      Resource: securityGroups,
      Condition: keepsTag,
    },
    {
      // Those of nodes among them, which the controller did not make.
      Sid: "OpenPortsInVpc",
      Effect: "Allow",
      Action: ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"],
      Resource: securityGroups,
      Condition: { ArnLike: { "ec2:Vpc": arn("ec2", `vpc/${vpcId}`) } },
    },
    {
      Sid: "DeleteSecurityGroups",
      Effect: "Allow",
      Action: ["ec2:DeleteSecurityGroup"],
      Resource: securityGroups,
      Condition: { StringEquals: owned },
    },
    {
      Sid: "MakeLoadBalancers",
      Effect: "Allow",
      Action: ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
      Resource: [...loadBalancers, ...targetGroups],
      Condition: { StringEquals: requested },
    },
    {
      Sid: "TagNewLoadBalancers",
      Effect: "Allow",
      Action: ["elasticloadbalancing:AddTags"],
      Resource: [...loadBalancers, ...targetGroups],
      Condition: {
        StringEquals: {
          "elasticloadbalancing:CreateAction": ["CreateLoadBalancer", "CreateTargetGroup"],
          ...requested,
        },
      },
    },
    {
      Sid: "TagLoadBalancers",
      Effect: "Allow",
      Action: ["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"],
      Resource: [...loadBalancers, ...targetGroups],
      Condition: keepsTag,
    },
    {
      Sid: "ChangeLoadBalancers",
      Effect: "Allow",
      Action: [
        "elasticloadbalancing:CreateListener",
        "elasticloadbalancing:DeleteLoadBalancer",
        "elasticloadbalancing:DeleteTargetGroup",
        "elasticloadbalancing:DeregisterTargets",
        "elasticloadbalancing:ModifyCapacityReservation",
        "elasticloadbalancing:ModifyIpPools",
        "elasticloadbalancing:ModifyLoadBalancerAttributes",
        "elasticloadbalancing:ModifyTargetGroup",
        "elasticloadbalancing:ModifyTargetGroupAttributes",
        "elasticloadbalancing:RegisterTargets",
        "elasticloadbalancing:SetIpAddressType",
        "elasticloadbalancing:SetSecurityGroups",
        "elasticloadbalancing:SetSubnets",
        "elasticloadbalancing:SetWebAcl",
      ],
      Resource: [...loadBalancers, ...targetGroups],
      Condition: { StringEquals: owned },
    },
    {
      Sid: "ChangeListenersAndRules",
      Effect: "Allow",
      Action: [
        "elasticloadbalancing:AddListenerCertificates",
        "elasticloadbalancing:AddTags",
        "elasticloadbalancing:CreateRule",
        "elasticloadbalancing:DeleteListener",
        "elasticloadbalancing:DeleteRule",
        "elasticloadbalancing:ModifyListener",
        "elasticloadbalancing:ModifyListenerAttributes",
        "elasticloadbalancing:ModifyRule",
        "elasticloadbalancing:RemoveListenerCertificates",
        "elasticloadbalancing:RemoveTags",
        "elasticloadbalancing:SetRulePriorities",
      ],
      Resource: [...listeners, ...rules],
      Condition: ofNoOther,
    },
    {
      Sid: "AttachWebAcls",
      Effect: "Allow",
      Action: ["wafv2:AssociateWebACL", "wafv2:DisassociateWebACL"],
      Resource: [arn("wafv2", "regional/webacl/*/*"), ...elb("loadbalancer/app/*/*")],
      Condition: ofNoOther,
    },
  ];
}
