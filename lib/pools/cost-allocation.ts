/** Whom a pool's costs belong to: tags on instances, volumes, network interfaces and every resource of the pool. */
export interface CostAllocation {
  /** Tag `team`. */
  readonly team: string;
  /** Tag `workload`. Left out: the name of the pool's workload, and no tag where it has none. */
  readonly workload?: string;
  /** Tag `environment`, such as `production`. Left out: no tag. */
  readonly environment?: string;
}
