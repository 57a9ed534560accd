import { ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct } from "constructs";
import { checkProperties } from "../internal/choices";
import { checkId } from "../internal/ids";
import { Problems } from "../internal/problems";
import { checkResourceOptions } from "../internal/resource-options";
import { ClusterSubnet } from "./cluster";
import { ClusterBase } from "./cluster-base";
import { checkSelector, checkSubnets, checkTexts } from "./cluster-checks";
import { checkRegion } from "./region-check";

/** What must be said of each cluster that exists, whether Terraform reads the rest of it or the program says that, too. */
export interface ExistingClusterFacts {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly subnets: ClusterSubnet[];
  readonly registry?: string;
  readonly systemNodeSelector?: { [key: string]: string };
  readonly provider?: TerraformProvider;
}

/**
 * A cluster that was made elsewhere. What is in it, and what must come before that, is its owner's.
 * @internal
 */
export abstract class ExistingCluster extends ClusterBase {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly registry?: string;
  private readonly ownSubnets: ClusterSubnet[];
  private readonly ownSelector: { [key: string]: string };

  /** `properties` are all that `facts` may have; `provider` picks those that the cluster may belong to. */
  constructor(
    scope: Construct,
    id: string,
    facts: ExistingClusterFacts,
    properties: { [property: string]: true },
    provider: (all: TerraformProvider[]) => TerraformProvider[],
  ) {
    super(scope, id);
    const problems = new Problems(this);
    checkId(this, problems);
    checkProperties(facts, properties, problems);
    checkTexts(facts, Object.keys(properties), problems);
    checkSelector(facts, problems);
    checkResourceOptions(this, properties.provider ? { provider: facts.provider } : {}, problems);
    checkSubnets("subnets", facts.subnets, problems);
    problems.throwIfAny();

    this.clusterName = facts.clusterName;
    this.kubernetesVersion = facts.kubernetesVersion;
    this.registry = facts.registry;
    this.ownSubnets = [...facts.subnets];
    this.ownSelector = { ...facts.systemNodeSelector };
    const zones = facts.subnets.map((subnet) => subnet.availabilityZone);
    checkRegion(this, "subnets", zones, provider);
  }

  get subnets(): ClusterSubnet[] {
    return [...this.ownSubnets];
  }

  get systemNodeSelector(): { [key: string]: string } {
    return { ...this.ownSelector };
  }

  /** @internal */
  get _ready(): ITerraformDependable[] {
    return [];
  }

  /** @internal */
  _connect(): void {}
}
