import { base64Lines, Fragment, isWrittenOut, plain, quoted, withTextTokens } from "./encode";
import { nodeConfigDocument } from "./node-config";

const BOUNDARY = "==node-user-data==";

/** The line before each part, and, with two hyphens after it, the last one. */
export const DELIMITER = `--${BOUNDARY}`;

/** The parts as one text; none where there are none. */
export function multipart(parts: Fragment[][]): Fragment[] {
  return parts.length === 0
    ? []
    : joined([
        `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n\n`,
        ...parts.flat(),
        `${DELIMITER}--\n`,
      ]);
}

/** nodeadm takes its parts as they are, so that these are never encoded. */
export function configPart(spec: object): Fragment[] {
  return part("application/node.eks.aws", quoted(nodeConfigDocument(withTextTokens(spec))));
}

/**
 * cloud-init reads the parts as text and hands scripts on as bytes, by which every sign that is not ASCII turns into an
 * escape, whatever character set is declared, unless the part is base64. Of a token's value nobody knows here.
 */
export function shellPart(script: string): Fragment[] {
  const text = plain(script.endsWith("\n") ? script : `${script}\n`);
  return isWrittenOut(text) && isAscii(script)
    ? part('text/x-shellscript; charset="us-ascii"', text)
    : part('text/x-shellscript; charset="utf-8"\nContent-Transfer-Encoding: base64', [base64Lines(text), "\n"]);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function part(header: string, body: Fragment[]): Fragment[] {
  return [`${DELIMITER}\nContent-Type: ${header}\n\n`, ...body, "\n"];
}

function joined(fragments: Fragment[]): Fragment[] {
  return fragments.reduce<Fragment[]>((result, fragment) => {
    const last = result[result.length - 1];
    return typeof last === "string" && typeof fragment === "string"
      ? [...result.slice(0, -1), last + fragment]
      : [...result, fragment];
  }, []);
}
