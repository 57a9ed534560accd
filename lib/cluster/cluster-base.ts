import { Annotations, Aspects, ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { isKnown } from "../internal/tokens";
import { Addon } from "./addon";
import { addonsFor, noteAddon, notePool } from "./app-clusters";
import { ClusterSubnet, IGpuCluster } from "./cluster";
import { missingAddons } from "./missing-addons";
import { INodePool } from "./node-pool";

/**
 * What clusters have in common, however they came about: they know their pools and add-ons.
 * @internal
 */
export abstract class ClusterBase extends Construct implements IGpuCluster {
  abstract readonly clusterName: string;
  abstract readonly kubernetesVersion: string;
  abstract readonly endpoint?: string;
  abstract readonly certificateAuthority?: string;
  abstract readonly serviceCidr?: string;
  abstract readonly clusterSecurityGroupId: string;
  abstract readonly vpcId: string;
  abstract readonly subnets: ClusterSubnet[];
  abstract readonly registry?: string;
  abstract readonly systemNodeSelector: { [key: string]: string };
  /** @internal */
  abstract readonly _ready: ITerraformDependable[];
  /** @internal */
  abstract _connect(scope: Construct, kubernetes: TerraformProvider): void;
  private readonly ownPools: INodePool[] = [];
  /** Each add-on with the construct that installs it, or none where it is there already. */
  private readonly ownAddons = new Map<Addon, IConstruct | undefined>();

  get pools(): INodePool[] {
    return [...this.ownPools];
  }

  get addons(): Addon[] {
    return [...this.ownAddons.keys()];
  }

  /** @internal */
  get _beforeNodes(): ITerraformDependable[] {
    return [];
  }

  /** @internal */
  get _knownName(): string | undefined {
    return isKnown(this.clusterName) ? this.clusterName : undefined;
  }

  alreadyHas(addon: Addon): void {
    const installer = this.ownAddons.get(addon);
    if (installer) {
      throw new Error(
        `${this.node.path}: alreadyHas: must not name ${addon}, which ${installer.node.path} installs. Remove one of them`,
      );
    }
    this.ownAddons.set(addon, undefined);
    noteAddon(addon, this, []);
  }

  /** @internal */
  _register(pool: INodePool): void {
    this.ownPools.push(pool);
    notePool(pool, this);
    // At synth, when all add-ons are known, whichever comes first in the program.
    Aspects.of(pool).add({
      visit: (node: IConstruct) => {
        // A group within a pool needs what the pool needs.
        if (node === pool && !this.ownPools.includes(pool.node.scope as INodePool)) {
          missingAddons(pool, addonsFor(pool, this)).forEach((warning) => Annotations.of(pool).addWarning(warning));
        }
      },
    });
  }

  /** @internal */
  _install(addon: Addon, installer: IConstruct, pools: INodePool[]): void {
    if (this.ownAddons.has(addon)) {
      const by = this.ownAddons.get(addon)?.node.path;
      throw new Error(
        `${installer.node.path}: must not install ${addon} in ${this.node.path}, ` +
          (by === undefined
            ? "which has it already (alreadyHas). Remove one of them"
            : `which ${by} does. Remove one of them`),
      );
    }
    this.ownAddons.set(addon, installer);
    noteAddon(addon, this, pools);
  }
}
