import { ITerraformDependable, TerraformStack } from "cdktf";
import { IConstruct } from "constructs";

/**
 * Those that a resource under `scope` can wait for. Of another stack it cannot: the address would lead nowhere. There the
 * order of the stacks answers for it.
 */
export function ofSameStack(scope: IConstruct, dependables: ITerraformDependable[]): ITerraformDependable[] {
  const stack = TerraformStack.of(scope);
  return dependables.filter((each) => {
    const construct = each as Partial<IConstruct>;
    return construct.node === undefined || TerraformStack.of(each as unknown as IConstruct) === stack;
  });
}
