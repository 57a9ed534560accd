import { Fn, Token, Tokenization } from "cdktf";
import { isKnown, withTextNumbers } from "../../../internal/tokens";

/** A text for a node: what is written out, and what Terraform puts in. */
export type Fragment = string | Expression;

export interface Expression {
  readonly expression: string;
  /** Bytes that its value has at least. Left out: nothing is known of it. */
  readonly leastBytes?: number;
}

/** Bytes of a text, as far as they are known. */
export function bytesOf(fragments: Fragment[]): number {
  return fragments.reduce(
    (sum, fragment) => sum + (typeof fragment === "string" ? Buffer.byteLength(fragment) : (fragment.leastBytes ?? 0)),
    0,
  );
}

/** Whether Terraform puts nothing in. */
export function isWrittenOut(fragments: Fragment[]): fragments is string[] {
  return fragments.every((fragment) => typeof fragment === "string");
}

/**
 * Base64 of a text that may hold tokens.
 *
 * Without tokens it is made here. With tokens Terraform must encode, and the text must get there whole: a literal in an
 * expression has its `${`, `%{`, quotes and backslashes read by Terraform, so each literal travels as base64 of its own.
 */
export function base64(fragments: Fragment[]): string {
  if (isWrittenOut(fragments)) {
    return toBase64(fragments.join(""));
  }
  return Fn.base64encode(
    Fn.join(
      "",
      fragments
        .filter((fragment) => fragment !== "")
        .map((fragment) => (typeof fragment === "string" ? Fn.base64decode(toBase64(fragment)) : fragment.expression)),
    ),
  );
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Longest line of base64 in a MIME part (RFC 2045). */
const LINE = 76;

/** Base64 of a text in lines, as the body of a MIME part holds it. */
export function base64Lines(fragments: Fragment[]): Fragment {
  const encoded = base64(fragments);
  const lines = new RegExp(`.{1,${LINE}}`, "g");
  if (isWrittenOut(fragments)) {
    return (encoded.match(lines) ?? []).join("\n");
  }
  const signs = 4 * Math.ceil(bytesOf(fragments) / 3);
  return {
    // Terraform reads the two signs as the end of a line.
    expression: Fn.join("\\n", Fn.regexall(lines.source, encoded)),
    leastBytes: signs + Math.ceil(signs / LINE) - 1,
  };
}

/** A text in which each token stands for its plain value, such as a script. */
export function plain(text: string): Fragment[] {
  if (isKnown(text)) {
    return [text];
  }
  const pieces: unknown = Tokenization.reverseString(withTextNumbers(text)).join({
    join: (left: any, right: any) => [...(Array.isArray(left) ? left : [left]), right],
  });
  return (Array.isArray(pieces) ? pieces : [pieces]).map((piece: string) =>
    isKnown(piece) ? piece : { expression: piece },
  );
}

/**
 * A text whose tokens stand in quoted strings, JSON or TOML. Terraform writes their values as JSON, which both notations
 * read, so that signs that need an escape get it; a string that is one token may also turn out a number or a list.
 */
export function quoted(text: string): Fragment[] {
  const fragments = plain(text);
  fragments.forEach((fragment, index) => {
    const [before, after] = [fragments[index - 1], fragments[index + 1]];
    if (typeof fragment === "string") {
      return;
    }
    if (
      typeof before === "string" &&
      typeof after === "string" &&
      /(^|[^\\])"$/.test(before) &&
      after.startsWith('"')
    ) {
      fragments[index - 1] = before.slice(0, -1);
      fragments[index] = { expression: Fn.jsonencode(fragment.expression) };
      fragments[index + 1] = after.slice(1);
    } else {
      fragments[index] = { expression: withinQuotes(fragment.expression) };
    }
  });
  return fragments;
}

/** Joined with nothing, a number becomes a text, which JSON puts in quotes. */
function withinQuotes(expression: string): string {
  const quote = Fn.rawString('"');
  return Fn.trimsuffix(Fn.trimprefix(Fn.jsonencode(Fn.join("", [expression])), quote), quote);
}

/** A document whose number and list tokens are texts, so that they survive being written as JSON or TOML. */
export function withTextTokens(value: any): any {
  if (typeof value === "number") {
    return isKnown(value) ? value : Token.asString(value);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (Token.isUnresolved(value)) {
    return Token.asString(value);
  }
  return Array.isArray(value)
    ? value.map(withTextTokens)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTextTokens(member)]));
}
