import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { Fn } from "cdktf";
import { Construct } from "constructs";
import { checkProperties } from "../internal/choices";
import { checkId } from "../internal/ids";
import { Problems } from "../internal/problems";
import { guardStack } from "../internal/stack-guard";
import { checkText } from "../internal/texts";
import { isKnown } from "../internal/tokens";
import { IGpuCluster } from "./cluster";
import { checkClusterGiven } from "./cluster-checks";
import { regionOfCluster } from "./identity";

/** How Terraform gets at a cluster. */
export interface ClusterProvidersProps {
  /** A cluster whose endpoint and certificate authority are known. */
  readonly cluster: IGpuCluster;
  /** Region of the cluster. Left out: that of the zones of its subnets. */
  readonly region?: string;
  /** Profile of the AWS CLI. Left out: the credentials of the environment that Terraform runs in. */
  readonly profile?: string;
  /** ARN of the role that tokens are made with, one of the cluster's admins. Left out: the one of the credentials. */
  readonly roleArn?: string;
  /**
   * Alias of both providers, for a stack that has several clusters: constructs must then be given them. Left out: none,
   * so that they are the stack's own, of which there can be one each.
   */
  readonly alias?: string;
}

const PROPERTIES: { [property in keyof Required<ClusterProvidersProps>]: true } = {
  cluster: true,
  region: true,
  profile: true,
  roleArn: true,
  alias: true,
};

const API_VERSION = "client.authentication.k8s.io/v1";

/**
 * Terraform's kubernetes and helm providers for a cluster.
 *
 * They ask the AWS CLI, which must be installed where Terraform runs, for a token whenever they need one: one that was
 * read when Terraform planned would be too old after a quarter of an hour. The first of them for a cluster that is made by
 * the library also makes its default storage class: gp3, encrypted, each volume in the zone of its pod.
 */
export class ClusterProviders extends Construct {
  /** For objects in the cluster. */
  readonly kubernetes: KubernetesProvider;
  /** For releases of charts. */
  readonly helm: HelmProvider;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: ClusterProvidersProps) {
    super(scope, id);
    const problems = new Problems(this);
    checkId(this, problems);
    checkProperties(props, PROPERTIES, problems);
    checkClusterGiven(props.cluster, problems);
    problems.throwIfAny();
    checkReach(props, problems);
    problems.throwIfAny();

    const { cluster, alias } = props;
    const exec = { apiVersion: API_VERSION, command: "aws", args: tokenArguments(props) };
    const access = {
      host: cluster.endpoint,
      clusterCaCertificate: Fn.base64decode(cluster.certificateAuthority ?? ""),
    };
    this.kubernetes = new KubernetesProvider(this, "Kubernetes", { ...access, exec: [exec], alias });
    this.helm = new HelmProvider(this, "Helm", { kubernetes: { ...access, exec }, alias });
    guardStack(this);
    cluster._connect(this, this.kubernetes);
  }
}

function tokenArguments({ cluster, region, profile, roleArn }: ClusterProvidersProps): string[] {
  const options: [name: string, value: string | undefined][] = [
    ["--cluster-name", cluster.clusterName],
    ["--region", region ?? regionOfCluster(cluster)],
    ["--profile", profile],
    ["--role-arn", roleArn],
  ];
  return [
    "eks",
    "get-token",
    "--output",
    "json",
    ...options.flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  ];
}

function checkReach({ cluster, region, roleArn, profile, alias }: ClusterProvidersProps, problems: Problems): void {
  for (const attribute of ["endpoint", "certificateAuthority"] as const) {
    if (cluster[attribute] === undefined) {
      problems.addText(
        `cluster.${attribute}`,
        "must be given, because the API server is reached by it, got: undefined. Pass it to GpuCluster.fromAttributes(), or use GpuCluster.fromName(), which reads it",
      );
    }
  }
  checkText("profile", profile, problems);
  if (
    region !== undefined &&
    checkText("region", region, problems) &&
    isKnown(region) &&
    !/^[a-z]{2,}(-[a-z]+)+-\d+$/.test(region)
  ) {
    problems.add("region", "must be the name of a region such as us-east-1", region, "Correct it");
  }
  if (
    roleArn !== undefined &&
    checkText("roleArn", roleArn, problems) &&
    isKnown(roleArn) &&
    !/^arn:[^:]+:iam::\d{12}:role\/\S+$/.test(roleArn)
  ) {
    problems.add("roleArn", "must be the ARN of a role", roleArn, "Give arn:aws:iam::<account>:role/<name>");
  }
  if (alias !== undefined && (!isKnown(alias) || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(alias))) {
    problems.add(
      "alias",
      "must be a literal name of letters, digits, hyphens and underscores that does not start with a digit",
      alias,
      "Such as training",
    );
  }
}
