import { DataAwsPartition } from "@cdktf/provider-aws/lib/data-aws-partition";
import { TerraformProvider, TerraformStack } from "cdktf";
import { IConstruct } from "constructs";
import { once } from "./once";

const PARTITIONS = Symbol.for("cdktf-elastic-gpu/Partitions");

/**
 * `aws`, `aws-cn` or `aws-us-gov`, as the provider knows it: ARNs of AWS's own policies begin with it.
 *
 * One data source for a stack and provider, however many constructs ask.
 */
export function partitionOf(scope: IConstruct, provider: TerraformProvider | undefined): string {
  const stack = TerraformStack.of(scope);
  const partitions = once(stack, PARTITIONS, () => new Map<string, string>());
  const id = `elastic-gpu-partition${provider?.alias ? `-${provider.alias}` : ""}`;
  const partition = partitions.get(id) ?? new DataAwsPartition(stack, id, { provider }).partition;
  partitions.set(id, partition);
  return partition;
}
