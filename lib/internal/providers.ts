import { TerraformProvider, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { once } from "./once";
import { Problems } from "./problems";

/** Providers that resources in a cluster need. */
export type ProviderKind = "kubernetes" | "helm";

/**
 * Refuses, at synth, a construct whose stack lacks a provider that it needs, with the line to add.
 *
 * At synth, because the provider may be declared later. CDKTF's own check is content with any provider of a kind: where
 * all of them have an alias, Terraform would take one without a configuration, and talk to no cluster.
 */
export function requireProviders(
  scope: Construct,
  kinds: ProviderKind[],
  given: (TerraformProvider | undefined)[] = [],
): void {
  const stack = TerraformStack.of(scope);
  scope.node.addValidation({
    validate: () => {
      const problems = new Problems(scope);
      for (const kind of kinds) {
        const ofKind = (provider: TerraformProvider | undefined): boolean => provider?.terraformResourceType === kind;
        if (!given.some(ofKind) && !stack.allProviders().some((each) => ofKind(each) && !each.alias)) {
          problems.addText(
            `${kind}Provider`,
            `must be given, because the stack ${stack.node.id} has no ${kind} provider without an alias. ` +
              'Add new ClusterProviders(stack, "providers", { cluster }) to the stack, or pass the provider',
          );
        }
      }
      return problems.lines;
    },
  });
}

/** A text for the provider of a construct, given or the stack's without an alias. Where it is the same, the account is, too. */
export function providerIdentity(scope: Construct, given: TerraformProvider | undefined): string {
  return given?.alias ? given.node.path : TerraformStack.of(scope).node.path;
}

const NEEDS_AWS = Symbol.for("cdktf-elastic-gpu/NeedsAwsProvider");

/**
 * Refuses, at synth, the same of a construct that makes AWS resources and was given no provider. The stack is searched
 * once for all of them.
 */
export function requireAwsProvider(scope: Construct, given: TerraformProvider | undefined): void {
  if (given !== undefined) {
    return;
  }
  const stack = TerraformStack.of(scope);
  const needy = once<Construct[]>(stack, NEEDS_AWS, () => {
    const scopes: Construct[] = [];
    stack.node.addValidation({ validate: () => withoutAws(stack, scopes) });
    return scopes;
  });
  needy.push(scope);
}

function withoutAws(stack: TerraformStack, scopes: Construct[]): string[] {
  if (stack.allProviders().some((each) => each.terraformResourceType === "aws" && !each.alias)) {
    return [];
  }
  return scopes.flatMap((scope) => {
    const problems = new Problems(scope);
    problems.addText(
      "provider",
      `must be given, because the stack ${stack.node.id} has no aws provider without an alias. ` +
        'Add new AwsProvider(stack, "aws", { region: "…" }) to the stack, or pass the provider',
    );
    return problems.lines;
  });
}
