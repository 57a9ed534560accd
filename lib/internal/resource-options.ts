import { ITerraformDependable, TerraformProvider } from "cdktf";
import { IConstruct } from "constructs";

/** What a composite hands on to each of its resources. */
export interface ResourceOptions {
  readonly provider?: TerraformProvider;
  readonly dependsOn?: ITerraformDependable[];
}

/**
 * Refuses `node.addDependency()` on a composite: CDKTF ignores it without a word, so that the order would be lost.
 */
export function refuseNodeDependencies(scope: IConstruct): void {
  scope.node.addValidation({
    validate: () =>
      scope.node.dependencies.length > 0
        ? [`${scope.node.path}: node.addDependency() has no effect in CDKTF. Pass what must come first in dependsOn`]
        : [],
  });
}
