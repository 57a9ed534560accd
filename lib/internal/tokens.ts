import { Token, Tokenization } from "cdktf";
import { IConstruct } from "constructs";

/**
 * Whether a value holds no unresolved token, at any depth.
 *
 * `Token.isUnresolved` alone looks at the surface: it calls a list of tokens, or a map with a token in it, resolved.
 * Keys count too, since a map token is an object whose only key is its marker.
 */
export function isKnown(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "number") {
    return !Token.isUnresolved(value);
  }
  if (value === null || typeof value !== "object") {
    return true;
  }
  if (Token.isUnresolved(value)) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.every(isKnown);
  }
  return Object.entries(value).every(([key, member]) => isKnown(key) && isKnown(member));
}

/** The length of the text as far as it is written out: tokens count as nothing. */
export function literalLength(text: string): number {
  return isKnown(text)
    ? Buffer.byteLength(text)
    : Tokenization.reverseString(text).literals.reduce((sum, part) => sum + Buffer.byteLength(String(part)), 0);
}

/**
 * What a text stands for, to be compared: each reading of a resource's attribute makes another token of one reference.
 *
 * Known texts are themselves, and so are tokens that are anything else than one reference.
 */
export function identityOf(text: string): string {
  if (isKnown(text)) {
    return text;
  }
  const { tokens, literals } = Tokenization.reverseString(text);
  const { identifier, originStack } = (tokens[0] ?? {}) as { identifier?: string; originStack?: IConstruct };
  return tokens.length === 1 && literals.length === 0 && identifier !== undefined && originStack !== undefined
    ? `${originStack.node.path}: ${identifier}`
    : text;
}
