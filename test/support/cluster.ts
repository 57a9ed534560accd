import { TerraformStack } from "cdktf";
import { GpuCluster, GpuClusterProps } from "cdktf-elastic-gpu";
import { allOf, Json, problemsOf, resources, synth, SynthesizedStack } from "./synth";

/** Properties of a cluster; those left out make a plain one, named training, in three zones. */
export type ClusterChoices = Partial<GpuClusterProps>;

export const ADMIN = "arn:aws:iam::123456789012:role/ci/deployer";

export function addCluster(stack: TerraformStack, choices: ClusterChoices = {}, id = "cluster"): GpuCluster {
  return new GpuCluster(stack, id, {
    clusterName: "training",
    kubernetesVersion: "1.34",
    ...(choices.network?._existing === undefined && {
      availabilityZones: ["us-east-1a", "us-east-1b", "us-east-1c"],
    }),
    admins: [ADMIN],
    ...choices,
  });
}

/** A stack named "test" with one cluster named "cluster". */
export function synthCluster(choices: ClusterChoices = {}): SynthesizedStack {
  return synth((stack) => addCluster(stack, choices));
}

/** The lines by which a cluster is refused, without its path. Choices may be of any form, as in a program without types. */
export function clusterRefusal(choices: any): string[] {
  const text = problemsOf((stack) => addCluster(stack, typeof choices === "function" ? choices(stack) : choices));
  return text.split("\n").map((line) => {
    if (!line.startsWith("test/cluster: ")) {
      throw new Error(`expected a line of test/cluster, got: ${line}`);
    }
    return line.slice("test/cluster: ".length);
  });
}

/** The address of the one resource of a type whose id has this in it. */
export function addressOf(json: Json, type: string, part = ""): string {
  const [one, ...others] = Object.keys(resources(json, type)).filter((id) => id.includes(part));
  if (one === undefined || others.length > 0) {
    throw new Error(`expected one ${type} with ${part} in its id, got: ${[one, ...others].join(", ")}`);
  }
  return `${type}.${one}`;
}

/** Everything that a resource waits for, by `depends_on` and by reference, at any distance. */
export function prerequisites(json: Json, address: string): Set<string> {
  const found = new Set<string>();
  const visit = (each: string): void => {
    const [type, id] = each.split(/\.(?=[^.]+$)/) as [string, string];
    const text = JSON.stringify(resources(json, type)[id] ?? {});
    const named = text.match(/\b(?:data\.)?(?:aws|kubernetes|helm)_\w+\.[A-Za-z_][\w-]*/g) ?? [];
    for (const other of named.filter((name) => name !== each && !found.has(name) && isIn(json, name))) {
      found.add(other);
      visit(other);
    }
  };
  visit(address);
  return found;
}

function isIn(json: Json, address: string): boolean {
  const [type, id] = address.split(/\.(?=[^.]+$)/) as [string, string];
  return id in resources(json, type);
}

/** An EKS add-on by its name. */
export function eksAddon(json: Json, name: string): Json {
  const found = allOf(json, "aws_eks_addon").find(({ addon_name }) => addon_name === name);
  if (!found) {
    throw new Error(`expected the EKS add-on ${name}`);
  }
  return found;
}
