import { ITerraformDependable, TerraformProvider, TerraformStack } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { checkLists } from "./choices";
import { Problems } from "./problems";

/** What a composite hands on to each of its resources. */
export interface ResourceOptions {
  readonly provider?: TerraformProvider;
  readonly dependsOn?: ITerraformDependable[];
}

/**
 * Refuses what would render as nothing, or as an address that the stack does not have.
 *
 * CDKTF takes any value for a dependency: a composite is left out without a word, and a resource of another stack becomes
 * a reference that Terraform does not take. A provider of another stack is named in a stack that lacks it.
 */
export function checkResourceOptions(scope: IConstruct, options: ResourceOptions, problems: Problems): void {
  const stack = TerraformStack.of(scope);
  const { provider, dependsOn } = options;
  checkProvider(scope, "provider", provider, "aws", problems);
  const before = problems.count;
  checkLists(options, ["dependsOn"], problems);
  if (problems.count === before) {
    dependsOn?.forEach((each, index) => checkDependable(`dependsOn[${index}]`, each, stack, problems));
  }
}

/** How people write the provider that a property takes. */
const CLASS_OF = { aws: "the AwsProvider", kubernetes: "the KubernetesProvider", helm: "the HelmProvider" };

/** Refuses what is no provider of this kind and this stack. What is left out is not refused. */
export function checkProvider(
  scope: IConstruct,
  property: string,
  provider: unknown,
  kind: keyof typeof CLASS_OF,
  problems: Problems,
): void {
  const stack = TerraformStack.of(scope);
  if (provider === undefined) {
    return;
  }
  if (!TerraformProvider.isTerraformProvider(provider)) {
    problems.add(property, "must be a provider of the stack", provider, `Pass ${CLASS_OF[kind]} itself`);
  } else if (provider.terraformResourceType !== kind) {
    problems.addText(
      property,
      `must be a provider of ${kind}, got: ${provider.node.path}, which is one of ${provider.terraformResourceType}. Pass ${CLASS_OF[kind]}`,
    );
  } else if (TerraformStack.of(provider) !== stack) {
    problems.addText(
      property,
      `must be of the stack ${stack.node.id}, got: ${provider.node.path}. Make one in each stack that needs it`,
    );
  }
}

function checkDependable(property: string, each: unknown, stack: TerraformStack, problems: Problems): void {
  const isConstruct = Construct.isConstruct(each);
  if (typeof (each as { fqn?: unknown } | undefined)?.fqn !== "string") {
    const got = isConstruct ? each.node.path : String(each);
    problems.addText(
      property,
      `must be a Terraform resource, data source or module, got: ${got}. Pass the resource that must come first, such as pool.resource`,
    );
  } else if (isConstruct && TerraformStack.of(each) !== stack) {
    problems.addText(
      property,
      `must be of the stack ${stack.node.id}, got: ${each.node.path}. Say ${stack.node.id}.addDependency(${TerraformStack.of(each).node.id}) for the stacks, or refer to an attribute of it`,
    );
  }
}

/**
 * Refuses `node.addDependency()` on a composite: CDKTF ignores it without a word, so that the order would be lost.
 */
export function refuseNodeDependencies(scope: IConstruct): void {
  scope.node.addValidation({
    validate: () =>
      scope.node.dependencies.length > 0
        ? [`${scope.node.path}: node.addDependency() has no effect in CDKTF. Pass what must come first in dependsOn`]
        : [],
  });
}
