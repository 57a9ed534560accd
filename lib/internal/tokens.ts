import { Token, Tokenization } from "cdktf";
import { Construct, IConstruct } from "constructs";

/**
 * Whether a value holds no unresolved token, at any depth.
 *
 * `Token.isUnresolved` alone looks at the surface: it calls a list of tokens, a map with a token in it, or a text with a
 * number token in it, resolved.
 * Keys count too, since a map token is an object whose only key is its marker. Constructs are not looked into: they refer
 * to each other in circles.
 */
export function isKnown(value: unknown): boolean {
  if (typeof value === "string") {
    return !Token.isUnresolved(withTextNumbers(value)) && !hasListInText(value);
  }
  if (typeof value === "number") {
    return !Token.isUnresolved(value);
  }
  if (value === null || typeof value !== "object" || Construct.isConstruct(value)) {
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

/** How CDKTF writes a number that stands for a token, once it is part of a text. */
const NUMBER = /-?\d(?:\.\d+)?e\+\d+/g;

/** A text in which number tokens are text tokens: CDKTF finds those alone when it takes a text apart. */
export function withTextNumbers(text: string): string {
  return text.replace(NUMBER, (digits) =>
    Token.isUnresolved(Number(digits)) ? Token.asString(Number(digits)) : digits,
  );
}

/** Whether a number token was written into a text, where CDKTF does not find it. */
export function hasNumberInText(text: string): boolean {
  // Nearly no text has an exponent, and each text of a pool is asked.
  return text.includes("e+") && (text.match(NUMBER) ?? []).some((digits) => Token.isUnresolved(Number(digits)));
}

/** Whether a list token was written into a text, here or at any depth: CDKTF has no form for that. */
export function hasListInText(value: unknown): boolean {
  if (typeof value === "string") {
    return value.includes("#{TfToken[");
  }
  if (Array.isArray(value)) {
    return !(value.length === 1 && /^#\{TfToken\[[^\]]*\]\}$/.test(String(value[0]))) && value.some(hasListInText);
  }
  return value !== null && typeof value === "object" && !Token.isUnresolved(value)
    ? Object.values(value).some(hasListInText)
    : false;
}

/**
 * What a text stands for, to be compared and sorted: each reading of a resource's attribute makes another token of one
 * reference.
 *
 * Known texts are themselves, and so are tokens that are no references.
 */
export function identityOf(text: string): string {
  return isKnown(text) ? text : text.replace(/\$\{TfToken\[[^\]]*\]\}/g, (token) => referenceOf(token) ?? token);
}

function referenceOf(token: string): string | undefined {
  const { identifier, originStack } = (Tokenization.reverseString(token).tokens[0] ?? {}) as {
    identifier?: string;
    originStack?: IConstruct;
  };
  return identifier === undefined || originStack === undefined ? undefined : `${originStack.node.path}: ${identifier}`;
}
