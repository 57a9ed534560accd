import { IamRolePolicyAttachment } from "@cdktf/provider-aws/lib/iam-role-policy-attachment";
import {
  Capacity,
  ClusterAutoscaler,
  ClusterProviders,
  GpuCluster,
  LoadBalancerController,
  MetricsServer,
  NeuronDevicePlugin,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
} from "cdktf-elastic-gpu";
import { Build, synthInCluster } from "../support/addon";
import { boundlessStatements, identityStatements, statementsOf } from "../support/policies";
import { addPool } from "../support/pool";
import { allOf, Json, resources, synth, theOne } from "../support/synth";

/** The statements of the only role with permissions of its own, by their names. */
function statements(build: Build): Record<string, Json> {
  const all = identityStatements(synthInCluster(build).json);
  return Object.fromEntries(all.map(({ Sid, ...statement }) => [Sid, statement]));
}

const ELB = "arn:aws:elasticloadbalancing:*:*:";
const LOAD_BALANCERS = [`${ELB}loadbalancer/app/*/*`, `${ELB}loadbalancer/net/*/*`];
const TARGET_GROUPS = [`${ELB}targetgroup/*/*`];
const SECURITY_GROUPS = "arn:aws:ec2:*:*:security-group/*";
const VPC = "arn:aws:ec2:*:*:vpc/vpc-0123456789abcdef0";
const OWNED = { "aws:ResourceTag/elbv2.k8s.aws/cluster": "prod" };
const REQUESTED = { "aws:RequestTag/elbv2.k8s.aws/cluster": "prod" };
const KEEPS_TAG = { StringEquals: OWNED, Null: { "aws:RequestTag/elbv2.k8s.aws/cluster": "true" } };

test("the autoscaler reads what it must, and resizes groups of its cluster alone", () => {
  expect(statements((stack, cluster) => new ClusterAutoscaler(stack, "autoscaler", { cluster }))).toEqual({
    FindGroups: {
      Effect: "Allow",
      Action: [
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeAutoScalingInstances",
        "autoscaling:DescribeLaunchConfigurations",
        "autoscaling:DescribeScalingActivities",
        "autoscaling:DescribeTags",
      ],
      Resource: "*",
    },
    KnowInstances: {
      Effect: "Allow",
      Action: [
        "ec2:DescribeImages",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeLaunchTemplateVersions",
        "ec2:GetInstanceTypesFromInstanceRequirements",
      ],
      Resource: "*",
    },
    KnowManagedGroups: {
      Effect: "Allow",
      Action: ["eks:DescribeNodegroup"],
      Resource: "arn:aws:eks:*:*:nodegroup/prod/*/*",
    },
    ResizeGroupsOfCluster: {
      Effect: "Allow",
      Action: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
      Resource: "arn:aws:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/*",
      Condition: { StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/prod": "owned" } },
    },
  });
});

describe("the load balancer controller", () => {
  const all = statements((stack, cluster) => new LoadBalancerController(stack, "controller", { cluster }));

  test.each<[string, Json]>([
    [
      "MakeServiceLinkedRole",
      {
        Action: ["iam:CreateServiceLinkedRole"],
        Resource: "arn:aws:iam::*:role/aws-service-role/elasticloadbalancing.amazonaws.com/*",
        Condition: { StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" } },
      },
    ],
    [
      "ReadNetwork",
      {
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
    ],
    [
      "ReadLoadBalancers",
      {
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
    ],
    [
      "ReadWhatListenersUse",
      {
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
    ],
    ["MakeSecurityGroupsInVpc", { Action: ["ec2:CreateSecurityGroup"], Resource: VPC }],
    [
      "MakeSecurityGroups",
      {
        Action: ["ec2:CreateSecurityGroup"],
        Resource: SECURITY_GROUPS,
        Condition: { StringEquals: REQUESTED },
      },
    ],
    [
      "TagNewSecurityGroups",
      {
        Action: ["ec2:CreateTags"],
        Resource: SECURITY_GROUPS,
        Condition: { StringEquals: { "ec2:CreateAction": "CreateSecurityGroup", ...REQUESTED } },
      },
    ],
    [
      "TagSecurityGroups",
      { Action: ["ec2:CreateTags", "ec2:DeleteTags"], Resource: SECURITY_GROUPS, Condition: KEEPS_TAG },
    ],
    [
      "OpenPortsInVpc",
      {
        Action: ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"],
        Resource: SECURITY_GROUPS,
        Condition: { ArnLike: { "ec2:Vpc": VPC } },
      },
    ],
    [
      "DeleteSecurityGroups",
      {
        Action: ["ec2:DeleteSecurityGroup"],
        Resource: SECURITY_GROUPS,
        Condition: { StringEquals: OWNED },
      },
    ],
    [
      "MakeLoadBalancers",
      {
        Action: ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
        Resource: [...LOAD_BALANCERS, ...TARGET_GROUPS],
        Condition: { StringEquals: REQUESTED },
      },
    ],
    [
      "TagNewLoadBalancers",
      {
        Action: ["elasticloadbalancing:AddTags"],
        Resource: [...LOAD_BALANCERS, ...TARGET_GROUPS],
        Condition: {
          StringEquals: {
            "elasticloadbalancing:CreateAction": ["CreateLoadBalancer", "CreateTargetGroup"],
            ...REQUESTED,
          },
        },
      },
    ],
    [
      "TagLoadBalancers",
      {
        Action: ["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"],
        Resource: [...LOAD_BALANCERS, ...TARGET_GROUPS],
        Condition: KEEPS_TAG,
      },
    ],
    [
      "ChangeLoadBalancers",
      {
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
        Resource: [...LOAD_BALANCERS, ...TARGET_GROUPS],
        Condition: { StringEquals: OWNED },
      },
    ],
    [
      "ChangeListenersAndRules",
      {
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
        Resource: [
          `${ELB}listener/app/*/*/*`,
          `${ELB}listener/net/*/*/*`,
          `${ELB}listener-rule/app/*/*/*`,
          `${ELB}listener-rule/net/*/*/*`,
        ],
        Condition: { StringEqualsIfExists: OWNED },
      },
    ],
    [
      "AttachWebAcls",
      {
        Action: ["wafv2:AssociateWebACL", "wafv2:DisassociateWebACL"],
        Resource: ["arn:aws:wafv2:*:*:regional/webacl/*/*", `${ELB}loadbalancer/app/*/*`],
        Condition: { StringEqualsIfExists: OWNED },
      },
    ],
  ])("may %s", (sid, statement) => expect(all[sid]).toEqual({ Effect: "Allow", ...statement }));

  test("may do nothing else", () => expect(Object.keys(all)).toHaveLength(16));

  test("fits into the policies that a role may have inline", () => {
    const long = { clusterName: "c".repeat(100) };
    const { json } = synthInCluster(
      (stack, cluster) => new LoadBalancerController(stack, "controller", { cluster }),
      long,
    );
    const policy: string = theOne(json, "aws_iam_role_policy").policy;
    const longest = policy.replaceAll(/\$\{data\.aws_partition\.[\w-]+\.partition\}/g, "aws-us-gov");
    expect(longest.length).toBeLessThan(10240);
  });
});

test("the roles are for one service account of one cluster", () => {
  const { json } = synthInCluster((stack, cluster) => {
    new ClusterAutoscaler(stack, "autoscaler", { cluster, tags: { team: "ml" } });
  });
  const role = theOne(json, "aws_iam_role");
  expect(statementsOf(role.assume_role_policy)).toEqual([
    {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
      Condition: {
        StringEquals: {
          "aws:RequestTag/eks-cluster-name": "prod",
          "aws:RequestTag/kubernetes-namespace": "kube-system",
          "aws:RequestTag/kubernetes-service-account": "cluster-autoscaler",
        },
      },
    },
  ]);
  expect(role.tags).toEqual({ team: "ml" });
  expect(theOne(json, "aws_eks_pod_identity_association")).toMatchObject({
    cluster_name: "prod",
    namespace: "kube-system",
    service_account: "cluster-autoscaler",
    role_arn: expect.stringMatching(/^\$\{aws_iam_role\.[\w-]+\.arn\}$/),
    tags: { team: "ml" },
  });
});

test("the name of the role is there for policies of the user's own", () => {
  const { json } = synthInCluster((stack, cluster) => {
    const controllers = [
      new ClusterAutoscaler(stack, "autoscaler", { cluster }),
      new LoadBalancerController(stack, "controller", { cluster }),
      new NodeTerminationHandler(stack, "handler", { cluster }),
    ];
    const policyArn = "arn:aws:iam::111122223333:policy/mine";
    controllers.forEach(
      ({ roleName: role }, index) => new IamRolePolicyAttachment(stack, `mine${index}`, { role, policyArn }),
    );
  });
  const roles = allOf(json, "aws_iam_role_policy_attachment").map(({ role }) => role);
  expect(roles).toEqual(Object.keys(resources(json, "aws_iam_role")).map((id) => `\${aws_iam_role.${id}.name}`));
});

test("no statement of a whole stack permits to change what it does not name, unless under a condition", () => {
  const { json } = synth((stack) => {
    const cluster = new GpuCluster(stack, "cluster", {
      clusterName: "training",
      kubernetesVersion: "1.34",
      availabilityZones: ["us-east-1a", "us-east-1b"],
    });
    new ClusterProviders(stack, "providers", { cluster });
    new ClusterAutoscaler(stack, "autoscaler", { cluster });
    new NvidiaDevicePlugin(stack, "nvidia", { cluster });
    new NeuronDevicePlugin(stack, "neuron", { cluster });
    new MetricsServer(stack, "metrics", { cluster });
    new LoadBalancerController(stack, "controller", { cluster });
    new NodeTerminationHandler(stack, "handler", { cluster });
    addPool(stack, { cluster });
    addPool(stack, { cluster, capacity: Capacity.spot() }, "spot");
  });
  const statements = identityStatements(json);
  expect(statements.length).toBeGreaterThanOrEqual(20);
  expect(boundlessStatements(statements)).toEqual([]);
});

test("such a statement would be found", () => {
  const allow = { Effect: "Allow", Action: ["s3:PutObject"], Resource: "arn:aws:s3:::bucket/*" };
  const harmless = [
    { ...allow, Condition: { StringEquals: { "aws:ResourceTag/team": "ml" } } },
    { ...allow, Action: "s3:GetObject" },
    { ...allow, Resource: "arn:aws:ec2:*:*:vpc/vpc-1" },
    { ...allow, Effect: "Deny" },
  ];
  const harmful = [allow, { ...allow, Resource: "*" }, { ...allow, Action: ["ec2:DescribeTags", "ec2:CreateTags"] }];
  expect(boundlessStatements([...harmless, ...harmful])).toEqual(harmful);
});
