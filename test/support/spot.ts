import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { TerraformStack } from "cdktf";
import { Addon, SpotWithFallback, SpotWithFallbackProps } from "cdktf-elastic-gpu";
import { clusterOf } from "./pool";
import { Json, problemsOf, synth, SynthesizedStack } from "./synth";

/** Properties of a pool; those left out make one of three types with one L4 each, and at most 40 nodes. */
export type SpotChoices = Partial<SpotWithFallbackProps>;

/** The same where they need the stack, such as tokens do. */
export type SpotChoice = SpotChoices | ((stack: TerraformStack) => SpotChoices);

export function addSpot(stack: TerraformStack, choices: SpotChoices = {}, id = "pool"): SpotWithFallback {
  return new SpotWithFallback(stack, id, {
    cluster: choices.cluster ?? clusterOf(stack),
    instanceTypes: ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"],
    maxNodes: 40,
    ...choices,
  });
}

/** A stack named "test" with one pool named "pool", on a cluster that has every add-on. */
export function synthSpot(choices: SpotChoice = {}): SynthesizedStack {
  return synth((stack) => {
    new KubernetesProvider(stack, "kubernetes", {});
    Object.values(Addon).forEach((addon) => clusterOf(stack).alreadyHas(addon));
    addSpot(stack, typeof choices === "function" ? choices(stack) : choices);
  });
}

/** The lines by which a pool is refused. Choices may be of any form, as in a program without types. */
export function spotRefusal(choices: any): string[] {
  return problemsOf((stack) => addSpot(stack, typeof choices === "function" ? choices(stack) : choices)).split("\n");
}

/** What was made at a path below the pool, such as "Fallback/Resource". */
export interface Made {
  /** As Terraform writes it. */
  readonly address: string;
  /** Without what CDKTF notes of it. */
  readonly block: Json;
}

export function madeAt(json: Json, path: string, pool = "test/pool"): Made {
  for (const [type, byId] of Object.entries<Json>(json.resource)) {
    for (const [id, block] of Object.entries<Json>(byId)) {
      if (block["//"]?.metadata.path === `${pool}/${path}`) {
        const own = Object.entries(block).filter(([attribute]) => attribute !== "//");
        return { address: `${type}.${id}`, block: Object.fromEntries(own) };
      }
    }
  }
  throw new Error(`expected something at ${pool}/${path}`);
}

/** The same of both groups, the mixed one first. */
export function ofBoth(json: Json, path: string): [Json, Json] {
  return [madeAt(json, path).block, madeAt(json, `Fallback/${path}`).block];
}

const TEMPLATE = "k8s.io/cluster-autoscaler/node-template/";

/** What the autoscaler reads off one empty group, without the prefix that all such tags have. */
export function templateOf({ tag }: Json): Record<string, string> {
  const own = (tag as Json[]).filter(({ key }) => key.startsWith(TEMPLATE));
  return Object.fromEntries(own.map(({ key, value }) => [key.slice(TEMPLATE.length), value]));
}
