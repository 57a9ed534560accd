import { allOf, Json } from "./synth";

/** Every statement of the policies that roles of a stack have, with the partition as it is in most Regions. */
export function identityStatements(json: Json): Json[] {
  const inline = [...allOf(json, "aws_iam_role_policy"), ...allOf(json, "aws_iam_policy")].map(({ policy }) => policy);
  return inline.flatMap((text: string) => statementsOf(text));
}

export function statementsOf(policy: string): Json[] {
  return JSON.parse(policy.replaceAll(/\$\{data\.aws_partition\.[\w-]+\.partition\}/g, "aws")).Statement;
}

/** Statements that permit to change what they do not name, under no condition. */
export function boundlessStatements(statements: Json[]): Json[] {
  return statements.filter(
    ({ Effect, Action, Resource, Condition }) =>
      Effect === "Allow" && Condition === undefined && [Action].flat().some(isWrite) && [Resource].flat().some(isOpen),
  );
}

/** By the verbs of AWS: what does not begin with one of these changes something. */
function isWrite(action: string): boolean {
  return !/^[a-z0-9-]+:(Describe|Get|List)[A-Z]/.test(action);
}

/** Whether an ARN leaves open which resource of its kind it means. Region and account are the caller's anyway. */
function isOpen(resource: string): boolean {
  return resource.split(":").slice(5).join(":").includes("*") || resource === "*";
}
