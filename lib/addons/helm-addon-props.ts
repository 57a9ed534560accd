import { ITerraformDependable, TerraformProvider } from "cdktf";
import { IGpuCluster } from "../cluster";

/** What all add-ons have in common that are installed with Helm. */
export interface HelmAddonProps {
  /** The cluster that it is installed in, once. */
  readonly cluster: IGpuCluster;
  /** Exact version of the chart. Left out: the one that was tested with this version of the library. */
  readonly version?: string;
  /**
   * Values of the chart, laid over those of the library: maps are merged, all else is replaced, lists too, and null takes
   * one of the chart's defaults away. Helm ignores misspelt keys without a word.
   *
   * Left out: the library's own.
   */
  readonly values?: { [key: string]: any };
  /** Name of the Helm release, at most 53 characters. Left out: the add-on's usual name. */
  readonly releaseName?: string;
  /**
   * Seconds that Helm waits for the pods before it gives up and undoes what it did. Left out: 600, which covers nodes that
   * have to be started first.
   */
  readonly timeoutSeconds?: number;
  /** Left out: the stack's helm provider without an alias. */
  readonly helmProvider?: TerraformProvider;
  /** What must exist before the release. Left out: what the cluster needs to run pods. */
  readonly dependsOn?: ITerraformDependable[];
}

/** What add-ons have in common that call AWS. */
export interface AwsAddonProps extends HelmAddonProps {
  /** The AWS provider of the role. Left out: the stack's only one without an alias. */
  readonly provider?: TerraformProvider;
  /** Tags of the role and of its association with the pods. Left out: none. */
  readonly tags?: { [key: string]: string };
}
