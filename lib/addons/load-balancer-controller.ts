import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { Addon, IGpuCluster } from "../cluster";
import { regionOfCluster } from "../cluster/identity";
import { isMarked, mark } from "../internal/choices";
import { partitionOf } from "../internal/partition";
import { claimAddon, HelmAddon, releaseAddon } from "./helm-addon";
import { AwsAddonProps } from "./helm-addon-props";
import { loadBalancerStatements } from "./load-balancer-controller-policy";
import { AWS_PROPERTIES, checkAws, podIdentity } from "./pod-identity";
import { OwnedValue, Values } from "./values";

const MARKER = Symbol.for("cdktf-elastic-gpu/LoadBalancerController");

const SERVICE_ACCOUNT = "aws-load-balancer-controller";

const OWNED: OwnedValue[] = [
  { path: ["clusterName"], remedy: "Remove it: it is the cluster's name, which the role's rights depend on" },
  { path: ["serviceAccount", "name"], remedy: "Remove it: the role is that account's" },
];

/**
 * The AWS Load Balancer Controller: Network Load Balancers for services, Application Load Balancers for ingresses.
 *
 * Its role may change only what the controller made for this cluster, and open ports within the cluster's VPC. Shield and
 * WAF Classic are turned off. Remove services and ingresses before it: load balancers that it does not see go remain.
 */
export class LoadBalancerController extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isLoadBalancerController(x: any): x is LoadBalancerController {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;
  /** Name of the role that its pods have, for policies of your own. */
  readonly roleName: string;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: AwsAddonProps) {
    super(scope, id);
    mark(this, MARKER);
    const addon: HelmAddon = {
      addon: Addon.LOAD_BALANCER_CONTROLLER,
      props,
      properties: AWS_PROPERTIES,
      check: (problems) => checkAws(props, problems),
      owned: OWNED,
      values: () => values(props.cluster),
    };
    claimAddon(this, addon);
    const identity = podIdentity(this, props, {
      serviceAccount: SERVICE_ACCOUNT,
      description: "AWS Load Balancer Controller",
      statements: loadBalancerStatements(props.cluster, partitionOf(this, props.provider)),
    });
    this.resource = releaseAddon(this, addon, identity.before);
    this.roleName = identity.roleName;
  }
}

function values(cluster: IGpuCluster): Values {
  return {
    clusterName: cluster.clusterName,
    // The metadata service, which it would ask, does not answer pods on nodes with a hop limit of 1.
    region: regionOfCluster(cluster),
    vpcId: cluster.vpcId,
    serviceAccount: { create: true, name: SERVICE_ACCOUNT },
    replicaCount: 2,
    podDisruptionBudget: { maxUnavailable: 1 },
    nodeSelector: cluster.systemNodeSelector,
    priorityClassName: "system-cluster-critical",
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    // Pods of the VPC CNI have addresses of the VPC: no detour over a node, least of all over one with GPUs.
    defaultTargetType: "ip",
    // While its pods start or are away, services of other releases must not be refused.
    serviceMutatorWebhookConfig: { failurePolicy: "Ignore" },
    // Both would need rights on resources that do not say which cluster they serve.
    enableShield: false,
    enableWaf: false,
    // A cluster that needs mirrors has no way to the API of WAF, which the controller would ask for each ingress.
    ...(cluster.registry !== undefined && { enableWafv2: false }),
  };
}
