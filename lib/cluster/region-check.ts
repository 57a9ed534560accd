import { TerraformProvider, TerraformStack } from "cdktf";
import { IConstruct } from "constructs";
import { list, Problems } from "../internal/problems";
import { isKnown } from "../internal/tokens";
import { isZoneName, regionOf } from "./zones";

/**
 * Refuses, at synth, zones of another region than that of the AWS provider, which may be declared after the cluster.
 *
 * `provider` is the one that the cluster's resources have. An imported cluster has none; it may belong to any provider of
 * the stack. A provider whose region is a token, or comes from the environment, may be that of any region.
 */
export function checkRegion(
  cluster: IConstruct,
  property: string,
  zones: string[],
  provider: (all: TerraformProvider[]) => TerraformProvider[],
): void {
  cluster.node.addValidation({
    validate: () => {
      const problems = new Problems(cluster);
      const all = TerraformStack.of(cluster).allProviders();
      const regions = provider(all.filter(isAws)).map(
        (each) => (each as TerraformProvider & { region?: string }).region,
      );
      if (regions.length === 0 || regions.some((region) => region === undefined || !isKnown(region))) {
        return [];
      }
      for (const zone of zones.filter((zone) => isZoneName(zone) && !regions.includes(regionOf(zone)))) {
        problems.add(
          property,
          `must be in the region of the AWS provider (${list([...new Set(regions as string[])])})`,
          zone,
          "Correct the zone, or the provider's region",
        );
      }
      return problems.lines;
    },
  });
}

/** The provider that resources get for which none was given. */
export function ownProvider(given: TerraformProvider | undefined): (all: TerraformProvider[]) => TerraformProvider[] {
  return (all) => (given ? [given] : all.filter((provider) => !provider.alias));
}

function isAws(provider: TerraformProvider): boolean {
  return provider.terraformResourceType === "aws";
}
