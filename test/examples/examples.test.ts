import { readFileSync } from "node:fs";
import { join } from "node:path";
import { examples, synthesizeExample } from "../support/examples";
import { addresses, Json } from "../support/synth";

/** Warnings that an example has on purpose, as its text says. */
const EXPECTED_WARNINGS: Record<string, string[]> = {
  "new-cluster": [
    "new-cluster/cluster: admins: left out, so that whoever applies administers the cluster, in place of whoever " +
      "applied before. A pipeline must name its role, and the people's, in admins",
  ],
  "private-cluster": [
    "private-cluster/providers: private-cluster/cluster: endpointAccess: the API server is reached from the VPC only, " +
      "so that Terraform must run there or in a network that is connected with it. Elsewhere, give your addresses to " +
      "EndpointAccess.publicFrom()",
  ],
  "spot-inference": [
    "spot-inference/inference: maxNodes: the account must be allowed, if all nodes are g6.8xlarge: 30 x 32 = 960 vCPUs of " +
      "All G and VT Spot Instance Requests (L-3819A6DF); 40 x 32 = 1280 vCPUs of Running On-Demand G and VT instances " +
      "(L-DB2E81BA). Compare with aws service-quotas get-service-quota --service-code ec2 --quota-code …, and have them " +
      "raised before the first peak",
  ],
};

const readJson = (file: string): Json => JSON.parse(readFileSync(file, "utf8"));

function warningsOf(folder: string): string[] {
  const stacks: Json[] = Object.values(readJson(join(folder, "../../manifest.json")).stacks);
  return stacks.flatMap(({ annotations }) =>
    annotations.map(({ constructPath, message }: Json) => `${constructPath}: ${message}`),
  );
}

describe.each(examples)("examples/%s", (example) => {
  let folders: string[];
  beforeAll(() => (folders = synthesizeExample(example)), 60_000);

  // Of somebody who has deployed the example, each change of an address replaces a resource.
  test("keeps the addresses of all its resources and data sources", () => {
    const all = folders.flatMap((folder) => addresses(readJson(join(folder, "cdk.tf.json"))));
    expect(all.join("\n")).toMatchSnapshot();
  });

  test("warns of nothing but what it means to", () => {
    expect(warningsOf(folders[0]!)).toEqual(EXPECTED_WARNINGS[example] ?? []);
  });
});
