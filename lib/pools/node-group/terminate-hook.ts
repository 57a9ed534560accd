import { AutoscalingLifecycleHook } from "@cdktf/provider-aws/lib/autoscaling-lifecycle-hook";
import { Construct } from "constructs";
import { DrainBudget } from "../../cluster";
import { ResourceOptions } from "../../internal/resource-options";

/**
 * Holds an instance that is to be terminated until its node is drained, or the time is over.
 *
 * A resource of its own: it goes before the group, so that a destroy does not wait for it.
 */
export function terminateHook(
  scope: Construct,
  autoscalingGroupName: string,
  { heartbeatSeconds }: DrainBudget,
  options: ResourceOptions,
): void {
  new AutoscalingLifecycleHook(scope, "TerminateHook", {
    ...options,
    name: "drain",
    autoscalingGroupName,
    lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
    heartbeatTimeout: heartbeatSeconds,
    // Where nobody drains, the instance goes all the same.
    defaultResult: "CONTINUE",
  });
}
