import { TerraformDataSource, TerraformElement, TerraformProvider, TerraformResource, TerraformStack } from "cdktf";
import { IConstruct } from "constructs";
import { once } from "./once";

const GUARDED = Symbol.for("cdktf-elastic-gpu/StackGuard");

/**
 * Makes the synthesis of a stack fail when two elements share an address.
 *
 * CDKTF merges such elements into one, with the configurations of both mixed and lists concatenated; nothing fails until
 * AWS does. Two providers of one kind without an alias are the same mistake. The check is made once a stack, at synth.
 */
export function guardStack(scope: IConstruct): void {
  const stack = TerraformStack.of(scope);
  once(stack, GUARDED, () => {
    stack.node.addValidation({ validate: () => sharedAddresses(stack) });
    return true;
  });
}

function sharedAddresses(stack: TerraformStack): string[] {
  const holders = new Map<string, IConstruct>();
  const shared = new Map<string, IConstruct[]>();
  const visit = (node: IConstruct): void => {
    if (node !== stack && TerraformStack.isStack(node)) {
      return;
    }
    const address = addressOf(node);
    const holder = address && holders.get(address);
    if (address && holder) {
      shared.set(address, [...(shared.get(address) ?? [holder]), node]);
    } else if (address) {
      holders.set(address, node);
    }
    node.node.children.forEach(visit);
  };
  visit(stack);
  return [...shared].map(([address, sharing]) => {
    const paths = sharing.map((node) => node.node.path).join(" and ");
    return `${paths} have one address, ${address}: ${remedyFor(address)}`;
  });
}

function addressOf(node: IConstruct): string | undefined {
  if (TerraformProvider.isTerraformProvider(node)) {
    return `provider ${node.terraformResourceType}${node.alias ? `.${node.alias}` : ""}`;
  }
  if (TerraformResource.isTerraformResource(node)) {
    return `${node.terraformResourceType}.${node.friendlyUniqueId}`;
  }
  if (TerraformDataSource.isTerraformDataSource(node)) {
    return `data.${node.terraformResourceType}.${node.friendlyUniqueId}`;
  }
  return TerraformElement.isTerraformElement(node) ? blockAddress(node) : undefined;
}

/** Outputs, variables, locals, modules and remote states: what they are shows in what they render. */
function blockAddress(element: TerraformElement): string | undefined {
  const [[block, content] = []] = Object.entries<object>(element.toTerraform());
  const kind = block === "data" ? `data.${Object.keys(content ?? {})}` : block;
  return kind === undefined || kind === "terraform" ? undefined : `${kind}.${element.friendlyUniqueId}`;
}

function remedyFor(address: string): string {
  return address.startsWith("provider ")
    ? "give all but one of them an alias"
    : "CDKTF would merge them into one; give one of the constructs another id (ids that differ in dots, blanks or other signs alone are the same to it)";
}
