import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { SsmParameter } from "@cdktf/provider-aws/lib/ssm-parameter";
import { ClusterNetwork, ControlPlaneLog, EndpointAccess, PodAddressing } from "cdktf-elastic-gpu";
import {
  ADMIN,
  addCluster,
  addressOf,
  ClusterChoices,
  eksAddon,
  prerequisites,
  synthCluster,
} from "../support/cluster";
import { textToken } from "../support/samples";
import { addresses, allOf, Json, resources, synth, theOne } from "../support/synth";

/** Number of resources by type. */
function counts(json: Json): Record<string, number> {
  return Object.fromEntries(Object.entries<Json>(json.resource).map(([type, ids]) => [type, Object.keys(ids).length]));
}

const settingsOf = (json: Json, addon: string) => {
  const values = eksAddon(json, addon).configuration_values;
  return values && JSON.parse(values);
};

describe("three properties make a cluster", () => {
  const { json, warnings } = synthCluster();

  test("of these resources", () => {
    expect(counts(json)).toEqual({
      aws_cloudwatch_log_group: 1,
      aws_default_security_group: 1,
      aws_eip: 3,
      aws_eks_access_entry: 1,
      aws_eks_access_policy_association: 1,
      aws_eks_addon: 5,
      aws_eks_cluster: 1,
      aws_eks_node_group: 1,
      aws_iam_role: 3,
      aws_iam_role_policy_attachment: 5,
      aws_internet_gateway: 1,
      aws_kms_key: 1,
      aws_launch_template: 1,
      aws_nat_gateway: 3,
      aws_route: 4,
      aws_route_table: 4,
      aws_route_table_association: 6,
      aws_subnet: 6,
      aws_vpc: 1,
      aws_vpc_endpoint: 1,
    });
  });

  test("without a warning where the admins are named", () => expect(warnings).toEqual([]));

  test("whose control plane has what security asks for", () => {
    expect(theOne(json, "aws_eks_cluster")).toMatchObject({
      name: "training",
      version: "1.34",
      access_config: { authentication_mode: "API", bootstrap_cluster_creator_admin_permissions: false },
      bootstrap_self_managed_addons: false,
      vpc_config: { endpoint_private_access: true, endpoint_public_access: false },
      encryption_config: { resources: ["secrets"] },
      enabled_cluster_log_types: ["api", "audit", "authenticator", "controllerManager", "scheduler"],
    });
    expect(theOne(json, "aws_eks_cluster")).not.toHaveProperty("deletion_protection");
    expect(theOne(json, "aws_eks_cluster")).not.toHaveProperty("kubernetes_network_config");
  });

  test("whose key rotates, and is used for the cluster's log group and no other", () => {
    const key = theOne(json, "aws_kms_key");
    expect(key.enable_key_rotation).toBe(true);
    expect(key.policy).toContain(
      '"Principal" = {"Service" = "logs.us-east-1.amazonaws.com"}, "Action" = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"], "Resource" = "*", "Condition" = {"ArnEquals" = {"kms:EncryptionContext:aws:logs:arn" = "arn:',
    );
    expect(key.policy).toContain(":log-group:/aws/eks/training/cluster");
  });

  test("whose logs go to a group that is there before it, and end after 90 days", () => {
    expect(theOne(json, "aws_cloudwatch_log_group")).toMatchObject({
      name: "/aws/eks/training/cluster",
      retention_in_days: 90,
      kms_key_id: `\${${addressOf(json, "aws_kms_key")}.arn}`,
    });
    expect(prerequisites(json, addressOf(json, "aws_eks_cluster"))).toContain(
      addressOf(json, "aws_cloudwatch_log_group"),
    );
  });

  test("whose admin is the role, by a standard access entry and the cluster admin policy", () => {
    expect(theOne(json, "aws_eks_access_entry")).toMatchObject({ principal_arn: ADMIN, type: "STANDARD" });
    expect(theOne(json, "aws_eks_access_policy_association")).toMatchObject({
      access_scope: { type: "cluster" },
      policy_arn:
        "arn:${data.aws_partition.elastic-gpu-partition.partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
    });
  });

  test("whose system nodes are two, without taints, and closed to pods that want their role", () => {
    expect(theOne(json, "aws_eks_node_group")).toMatchObject({
      instance_types: ["m7i.large"],
      ami_type: "AL2023_x86_64_STANDARD",
      version: "1.34",
      labels: { "node-role": "system" },
      scaling_config: { min_size: 2, max_size: 4, desired_size: 2 },
      lifecycle: { create_before_destroy: true, ignore_changes: ["scaling_config[0].desired_size"] },
    });
    expect(theOne(json, "aws_eks_node_group")).not.toHaveProperty("taint");
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toHaveLength(3);
    expect(theOne(json, "aws_launch_template")).toMatchObject({
      metadata_options: { http_endpoint: "enabled", http_tokens: "required", http_put_response_hop_limit: 1 },
      block_device_mappings: [{ ebs: { encrypted: "true", volume_type: "gp3" } }],
    });
  });

  test("whose add-ons have the versions that EKS has as defaults", () => {
    const versions = allOf(json, "data.aws_eks_addon_version");
    expect(versions.map(({ addon_name, kubernetes_version }) => [addon_name, kubernetes_version]).sort()).toEqual([
      ["aws-ebs-csi-driver", "1.34"],
      ["coredns", "1.34"],
      ["eks-pod-identity-agent", "1.34"],
      ["kube-proxy", "1.34"],
      ["vpc-cni", "1.34"],
    ]);
    expect(eksAddon(json, "coredns")).toMatchObject({
      addon_version: `\${${addressOf(json, "data.aws_eks_addon_version", "coredns")}.version}`,
      resolve_conflicts_on_create: "OVERWRITE",
      resolve_conflicts_on_update: "PRESERVE",
    });
  });

  test("whose add-ons run on the system nodes where they have a choice", () => {
    expect(settingsOf(json, "coredns")).toEqual({ nodeSelector: { "node-role": "system" } });
    expect(settingsOf(json, "aws-ebs-csi-driver")).toEqual({ controller: { nodeSelector: { "node-role": "system" } } });
    expect(settingsOf(json, "vpc-cni")).toBeUndefined();
  });

  test("whose storage driver may do what it needs through Pod Identity", () => {
    expect(eksAddon(json, "aws-ebs-csi-driver").pod_identity_association).toEqual([
      { role_arn: expect.stringContaining("aws-ebs-csi-driver_Role"), service_account: "ebs-csi-controller-sa" },
    ]);
    const [, role] = Object.entries(resources(json, "aws_iam_role")).find(([id]) => id.includes("ebs"))!;
    expect(JSON.parse(role.assume_role_policy).Statement).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "pods.eks.amazonaws.com" },
        Action: ["sts:AssumeRole", "sts:TagSession"],
        Condition: {
          StringEquals: {
            "aws:RequestTag/eks-cluster-name": `\${${addressOf(json, "aws_eks_cluster")}.name}`,
            "aws:RequestTag/kubernetes-namespace": "kube-system",
            "aws:RequestTag/kubernetes-service-account": "ebs-csi-controller-sa",
          },
        },
      },
    ]);
  });
});

describe("the order in which a cluster is made, and the reverse of its destruction", () => {
  const { json } = synthCluster();
  const nodes = addressOf(json, "aws_eks_node_group");
  const addon = (name: string) => addressOf(json, "aws_eks_addon", name);

  test.each(["vpc-cni", "kube-proxy", "eks-pod-identity-agent"])("%s is there before the first node", (name) => {
    expect(prerequisites(json, nodes)).toContain(addon(name));
    expect(prerequisites(json, addon(name))).not.toContain(nodes);
  });

  test.each(["coredns", "aws-ebs-csi-driver"])("%s comes after the system nodes", (name) =>
    expect(prerequisites(json, addon(name))).toContain(nodes),
  );

  test("nodes have a way to the internet and to S3, and their role's policies, before they start", () => {
    const before = prerequisites(json, nodes);
    for (const type of ["aws_nat_gateway", "aws_route", "aws_route_table_association", "aws_vpc_endpoint"]) {
      expect(Object.keys(resources(json, type)).filter((id) => !before.has(`${type}.${id}`))).toEqual([]);
    }
    const policies = Object.keys(resources(json, "aws_iam_role_policy_attachment"));
    expect(policies.filter((id) => id.includes("SystemNodes"))).toHaveLength(3);
    for (const id of policies.filter((id) => id.includes("SystemNodes"))) {
      expect(before).toContain(`aws_iam_role_policy_attachment.${id}`);
    }
  });

  test("the control plane has its policy as long as it lives", () => {
    expect(prerequisites(json, addressOf(json, "aws_eks_cluster"))).toContain(
      addressOf(json, "aws_iam_role_policy_attachment", "AmazonEKSClusterPolicy"),
    );
  });
});

describe("choices", () => {
  const clusterWith = (choices: ClusterChoices) => theOne(synthCluster(choices).json, "aws_eks_cluster");

  test("a public address for some networks", () => {
    const endpointAccess = EndpointAccess.publicFrom(["203.0.113.0/24", "198.51.100.7/32"]);
    expect(clusterWith({ endpointAccess }).vpc_config).toMatchObject({
      endpoint_private_access: true,
      endpoint_public_access: true,
      public_access_cidrs: ["203.0.113.0/24", "198.51.100.7/32"],
    });
  });

  test("a range of services, which is known then", () => {
    const { json } = synth((stack) => {
      expect(addCluster(stack, { serviceCidr: "172.21.0.0/16" }).serviceCidr).toBe("172.21.0.0/16");
    });
    expect(theOne(json, "aws_eks_cluster").kubernetes_network_config).toEqual({ service_ipv4_cidr: "172.21.0.0/16" });
  });

  test("protection from deletion", () => {
    expect(clusterWith({ deletionProtection: true }).deletion_protection).toBe(true);
    expect(clusterWith({ deletionProtection: false }).deletion_protection).toBe(false);
  });

  test("some of the logs, for a year", () => {
    const { json } = synthCluster({ logging: { types: [ControlPlaneLog.AUDIT], retentionDays: 365 } });
    expect(theOne(json, "aws_eks_cluster").enabled_cluster_log_types).toEqual(["audit"]);
    expect(theOne(json, "aws_cloudwatch_log_group").retention_in_days).toBe(365);
  });

  test("no logs, and then no log group", () => {
    const { json } = synthCluster({ logging: { types: [] } });
    expect(theOne(json, "aws_eks_cluster")).not.toHaveProperty("enabled_cluster_log_types");
    expect(allOf(json, "aws_cloudwatch_log_group")).toEqual([]);
  });

  test("pinned add-ons, of which nothing is read then", () => {
    const { json } = synthCluster({ addonVersions: { coreDns: "v1.13.1-eksbuild.1" } });
    expect(eksAddon(json, "coredns").addon_version).toBe("v1.13.1-eksbuild.1");
    expect(allOf(json, "data.aws_eks_addon_version").map(({ addon_name }) => addon_name)).not.toContain("coredns");
  });

  test("prefixes for pods", () => {
    const { json } = synthCluster({ podAddressing: PodAddressing.PREFIXES });
    expect(settingsOf(json, "vpc-cni")).toEqual({ env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" } });
  });

  test.each([
    ["m7g.large", "AL2023_ARM_64_STANDARD"],
    ["c7gn.xlarge", "AL2023_ARM_64_STANDARD"],
    ["t4g.large", "AL2023_ARM_64_STANDARD"],
    ["im4gn.large", "AL2023_ARM_64_STANDARD"],
    ["m7a.large", "AL2023_x86_64_STANDARD"],
    ["m7i-flex.large", "AL2023_x86_64_STANDARD"],
    ["c6id.large", "AL2023_x86_64_STANDARD"],
  ])("system nodes of %s, with the image %s", (type, image) => {
    const { json } = synthCluster({ systemNodes: { instanceTypes: [type] } });
    expect(theOne(json, "aws_eks_node_group")).toMatchObject({ instance_types: [type], ami_type: image });
  });

  test("the number of system nodes", () => {
    const { json } = synthCluster({ systemNodes: { minNodes: 3, maxNodes: 6 } });
    expect(theOne(json, "aws_eks_node_group").scaling_config).toEqual({ min_size: 3, max_size: 6, desired_size: 3 });
    const room = synthCluster({ systemNodes: { minNodes: 1 } }).json;
    expect(theOne(room, "aws_eks_node_group").scaling_config).toEqual({ min_size: 1, max_size: 3, desired_size: 1 });
  });

  test("several admins, whose addresses follow their names", () => {
    const other = "arn:aws:iam::123456789012:role/people";
    const one = synthCluster({ admins: [ADMIN] }).json;
    const both = synthCluster({ admins: [other, ADMIN] }).json;
    expect(allOf(both, "aws_eks_access_policy_association")).toHaveLength(2);
    expect(addresses(both)).toEqual(expect.arrayContaining(addresses(one)));
  });

  test("an admin that Terraform knows", () => {
    const { json } = synth((stack) => addCluster(stack, { admins: [textToken(stack)] }));
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe("${var.text}");
  });

  test("no admins: the role behind the session, and a warning", () => {
    const { json, warnings } = synthCluster({ admins: undefined });
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe(
      `\${${addressOf(json, "data.aws_iam_session_context")}.issuer_arn}`,
    );
    expect(theOne(json, "data.aws_iam_session_context").arn).toBe(
      `\${${addressOf(json, "data.aws_caller_identity", "Caller")}.arn}`,
    );
    expect(warnings).toEqual([
      "test/cluster: admins: left out, so that whoever applies administers the cluster, in place of whoever applied before. A pipeline must name its role, and the people's, in admins",
    ]);
  });

  test("tags on everything that takes them", () => {
    const { json } = synthCluster({ tags: { team: "search" } });
    const takesNone = [
      "aws_eks_access_policy_association",
      "aws_iam_role_policy_attachment",
      "aws_route",
      "aws_route_table_association",
    ];
    for (const [type, ids] of Object.entries<Json>(json.resource).filter(([type]) => !takesNone.includes(type))) {
      for (const [id, { tags }] of Object.entries<Json>(ids)) {
        expect([type, id, tags]).toEqual([type, id, expect.objectContaining({ team: "search" })]);
      }
    }
    expect(theOne(json, "aws_launch_template").tag_specifications).toEqual(
      ["instance", "volume", "network-interface"].map((resource_type) => ({
        resource_type,
        tags: { Name: "test-cluster-SystemNodes", team: "search" },
      })),
    );
  });
});

test("every resource has the provider that the cluster is given, and comes after what the cluster comes after", () => {
  const { json } = synth((stack) => {
    const provider = new AwsProvider(stack, "eu", { alias: "eu", region: "us-east-1" });
    const dependsOn = [new SsmParameter(stack, "first", { name: "first", type: "String", value: "1" })];
    const network = ClusterNetwork.own({ interfaceEndpoints: ["sts"] });
    addCluster(stack, { provider, dependsOn, network, admins: undefined });
  });
  const { aws_ssm_parameter, ...made } = json.resource;
  expect(Object.keys(aws_ssm_parameter)).toEqual(["first"]);
  for (const block of [...Object.values<Json>(made), ...Object.values<Json>(json.data)]) {
    expect(Object.values<Json>(block).filter(({ provider }) => provider !== "aws.eu")).toEqual([]);
  }
  for (const block of Object.values<Json>(made)) {
    expect(Object.values<Json>(block).filter((each) => !each.depends_on?.includes("aws_ssm_parameter.first"))).toEqual(
      [],
    );
  }
});

test("two clusters in a stack share neither names nor addresses", () => {
  const { json } = synth((stack) => {
    addCluster(stack, { clusterName: "one" }, "one");
    addCluster(stack, { clusterName: "two" }, "two");
  });
  const names = allOf(json, "aws_iam_role").map(({ name }) => name);
  expect(new Set(names).size).toBe(6);
  expect(allOf(json, "aws_eks_cluster").map(({ name }) => name)).toEqual(["one", "two"]);
});

test("clusters of one path and two names share no role names", () => {
  const rolesOf = (clusterName: string) =>
    allOf(synthCluster({ clusterName }).json, "aws_iam_role").map(({ name }) => name);
  expect(rolesOf("one").filter((name) => rolesOf("two").includes(name))).toEqual([]);
  expect(rolesOf("one")).toEqual(rolesOf("one"));
});
