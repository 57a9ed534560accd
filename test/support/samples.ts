import { TerraformStack, TerraformVariable, Token } from "cdktf";
import { AcceleratorType, AcceleratorVendor, Architecture, CustomAcceleratorType } from "cdktf-elastic-gpu";

/** A name, what is asked for under it, and the lines by which that is refused. */
export type Refusal = [string, any, string[]];

/** Lines as the pool of `refusalOf` writes them, with its path. */
export function inPool(lines: string[]): string[] {
  return lines.map((line) => `test/pool: ${line}`);
}

/** A text that only Terraform knows. */
export function textToken(stack: TerraformStack, name = "text"): string {
  return new TerraformVariable(stack, name, { type: "string" }).stringValue;
}

/** A number that only Terraform knows. */
export function numberToken(stack: TerraformStack, name = "number"): number {
  return new TerraformVariable(stack, name, { type: "number" }).numberValue;
}

/** A list that only Terraform knows. */
export function listToken(stack: TerraformStack, name = "list"): string[] {
  return new TerraformVariable(stack, name, { type: "list(string)" }).listValue;
}

/** A map that only Terraform knows. */
export function mapToken(stack: TerraformStack, name = "map"): { [key: string]: string } {
  return Token.asStringMap(new TerraformVariable(stack, name, { type: "map(string)" }).value);
}

/** A type that is newer than the catalogue. */
export function customType(instanceType: string, facts: Partial<CustomAcceleratorType> = {}): AcceleratorType {
  return AcceleratorType.custom({
    instanceType,
    architecture: Architecture.X86_64,
    vcpus: 192,
    memoryMib: 2048 * 1024,
    vendor: AcceleratorVendor.NVIDIA,
    model: "X100",
    acceleratorCount: 8,
    acceleratorMemoryMib: 200000,
    enisOnCard0: 4,
    ipv4PerEni: 50,
    ...facts,
  });
}
