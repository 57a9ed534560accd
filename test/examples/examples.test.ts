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
  "gpu-pools": [
    uneven("batch-a10g", "g5.4xlarge has 16 vCPUs", "g5.16xlarge 64"),
    uneven("batch-a10g", "g5.4xlarge has 64 GiB of memory", "g5.16xlarge 256"),
  ],
};

/** Several sizes in one pool, for which pods are meant to fit the smallest. */
function uneven(pool: string, weakest: string, strongest: string): string {
  const [type] = weakest.split(" ");
  return (
    `gpu-pools/${pool}: instanceTypes: ${weakest} an accelerator, ${strongest}: a pod must fit the weakest. ` +
    `Keep within a factor of 1.5, or size pods for ${type}`
  );
}

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
