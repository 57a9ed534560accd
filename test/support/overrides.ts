import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Json } from "./synth";

/** Settings without which the AWS provider would talk to AWS itself. */
const simulated = { skip_credentials_validation: true, skip_metadata_api_check: true, s3_use_path_style: true };

/**
 * Makes a synthesized stack fit for the Terraform at hand, by a file that Terraform lays over it.
 *
 * CDKTF pins each provider to the exact version that its bindings were made from; an offline mirror may hold another.
 * The state stays in the folder, wherever the stack itself would keep it.
 */
export function writeOverrides(folder: string, env: NodeJS.ProcessEnv): void {
  const stack: Json = JSON.parse(readFileSync(join(folder, "cdk.tf.json"), "utf8"));
  const versions: Record<string, string | undefined> = {
    aws: env.TF_AWS_PROVIDER_VERSION,
    kubernetes: env.TF_KUBERNETES_PROVIDER_VERSION,
    helm: env.TF_HELM_PROVIDER_VERSION,
  };
  const pins = Object.entries<Json>(stack.terraform.required_providers).map(([name, pinned]) => [
    name,
    { ...pinned, version: versions[name] || pinned.version },
  ]);
  const providers: Json[] = stack.provider?.aws ?? [];
  const overrides = {
    terraform: { backend: { local: { path: "terraform.tfstate" } }, required_providers: Object.fromEntries(pins) },
    provider: { aws: providers.map(({ alias }) => ({ alias, ...simulated })) },
  };
  writeFileSync(join(folder, "rig_override.tf.json"), JSON.stringify(overrides));
}
