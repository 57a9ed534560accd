import { TerraformProvider, TerraformStack } from "cdktf";
import { DataAwsPartition } from "@cdktf/provider-aws/lib/data-aws-partition";
import { IConstruct } from "constructs";

/**
 * `aws`, `aws-cn` or `aws-us-gov`, as the provider knows it: ARNs of AWS's own policies begin with it.
 *
 * One data source for a stack and provider, however many constructs ask.
 */
export function partitionOf(scope: IConstruct, provider: TerraformProvider | undefined): string {
  const stack = TerraformStack.of(scope);
  const id = `elastic-gpu-partition${provider?.alias ? `-${provider.alias}` : ""}`;
  const existing = stack.node.tryFindChild(id) as DataAwsPartition | undefined;
  return (existing ?? new DataAwsPartition(stack, id, { provider })).partition;
}
