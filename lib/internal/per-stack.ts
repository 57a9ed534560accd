import { TerraformStack } from "cdktf";

/** Something of which a stack has one, made when it is first asked for, whichever copy of the package asks. */
export function onStack<T>(stack: TerraformStack, key: symbol, make: () => T): T {
  const holder = stack as TerraformStack & { [key: symbol]: T | undefined };
  if (holder[key] === undefined) {
    Object.defineProperty(stack, key, { value: make() });
  }
  return holder[key] as T;
}
