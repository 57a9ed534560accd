import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import { GpuClusterAttributes, IGpuCluster } from "cdktf-elastic-gpu";
import { clusterOf } from "./pool";
import { Json, problemsOf, synth, SynthesizedStack, theOne } from "./synth";

/** What a program declares beside its cluster and its providers. */
export type Build = (stack: TerraformStack, cluster: IGpuCluster) => void;

/** A stack named "test" with a cluster and a helm provider. */
export function synthInCluster(build: Build, attributes: Partial<GpuClusterAttributes> = {}): SynthesizedStack {
  return synth((stack) => {
    new HelmProvider(stack, "helm", {});
    build(stack, clusterOf(stack, attributes));
  });
}

/** The lines by which such a stack is refused. */
export function refusalInCluster(build: Build, attributes: Partial<GpuClusterAttributes> = {}): string[] {
  return problemsOf((stack) => {
    new HelmProvider(stack, "helm", {});
    build(stack, clusterOf(stack, attributes));
  }).split("\n");
}

/** The only release of a stack. */
export function theRelease(json: Json): Json {
  return theOne(json, "helm_release");
}

/** The values of the only release, as Helm gets them. Calls of Terraform stay as they are, in quotes. */
export function theValues(json: Json): Json {
  return valuesOf(theRelease(json));
}

/** The values of a release, as `theValues`. */
export function valuesOf({ values }: Json): Json {
  const [text, ...others]: string[] = values;
  if (text === undefined || others.length > 0) {
    throw new Error(`expected one document of values, got: ${values}`);
  }
  const quoted = text.replace(/\$\{jsonencode\((?:[^"()]|"(?:[^"\\]|\\.)*")*\)\}/g, (call) => JSON.stringify(call));
  return JSON.parse(quoted.replace(/\$\$\{/g, "${").replace(/%%\{/g, "%{"));
}
