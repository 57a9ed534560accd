/**
 * A policy as IAM and the policies of resources want it.
 *
 * Names, ARNs and account IDs hold no character that JSON escapes, so that tokens of them may stand in it.
 */
export function policyDocument(statements: object[]): string {
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
