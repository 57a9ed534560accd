import { Fn, Token, Tokenization } from "cdktf";

/**
 * A value as one JSON document that Terraform completes: what is known is written out, and each token becomes a call of
 * `jsonencode` in its place. Members that are undefined are left out.
 *
 * So quotes, line ends and lists that a token stands for come out right, which they would not with `JSON.stringify`, and
 * backslashes and `%{` that are written out do, which they would not with `Fn.jsonencode` of the whole.
 */
export function jsonText(value: unknown): string {
  if (typeof value === "string") {
    return textOf(value);
  }
  if (Token.isUnresolved(value)) {
    return interpolated(Fn.jsonencode(value));
  }
  if (Array.isArray(value)) {
    return `[${value.map(jsonText).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${textOf(key)}:${jsonText(member)}`).join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}

function textOf(text: string): string {
  if (!Token.isUnresolved(text)) {
    return literally(JSON.stringify(text));
  }
  const { tokens } = Tokenization.reverseString(text);
  if (tokens.length === 1 && text === Token.asString(tokens[0])) {
    return interpolated(Fn.jsonencode(text));
  }
  let rest = text;
  let inside = "";
  for (const marker of tokens.map((token) => Token.asString(token))) {
    const at = rest.indexOf(marker);
    inside += escaped(rest.slice(0, at)) + interpolated(marker);
    rest = rest.slice(at + marker.length);
  }
  return `\${jsonencode("${inside}${escaped(rest)}")}`;
}

/**
 * CDKTF leaves the braces out around a token that follows a written `${` in the same text, and puts them in elsewhere.
 * Written braces right before and after it are the same in both cases.
 */
function interpolated(token: string): string {
  return `\${${token}}`;
}

/** What stands between the quotes of a text, for JSON and for an expression of Terraform alike. */
function escaped(text: string): string {
  return literally(JSON.stringify(text).slice(1, -1));
}

/** Keeps Terraform from taking `${` and `%{` that are meant as they stand for its own. */
function literally(text: string): string {
  return text.replace(/\$\{/g, "$$${").replace(/%\{/g, "%%{");
}
