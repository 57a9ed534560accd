import { checkWhole } from "../../internal/numbers";
import { Problems } from "../../internal/problems";
import { NodeRepair } from "../node-repair";
import { NodeRole } from "../node-role";
import { UpdatePolicy } from "../update-policy";
import { GroupChoices } from "./choices";
import { checkLabelValue } from "./labels";
import { checkName } from "./name";
import { checkRole } from "./role";
import { checkTags } from "./tags";
import { checkScaleDown } from "./template-tags";

/** What does not depend on the instance types. */
export function checkGroup(props: GroupChoices, managed: boolean, problems: Problems): void {
  const role = props.nodeRole ?? NodeRole.own();
  checkName(props.name, managed, role.roleArn === undefined, props.namedAfter ?? [], problems);
  checkRole(role, managed, problems);
  checkUpdatePolicy(props.updatePolicy, managed, problems);
  checkScaleDown(props.scaleDown, problems);
  checkTags(props, problems);
  if (props.workload) {
    checkLabelValue("workload", props.workload.name, problems);
    if (props.workload.name === "") {
      problems.add("workload", "must have a name", props.workload.name, "Name what the nodes are for");
    }
  } else if (props.workloadTaint) {
    problems.add(
      "workloadTaint",
      "must be left out where workload is, since it has the workload's name",
      props.workloadTaint,
      "Give a workload, or use taints",
    );
  }
  if (props.imdsHopLimit !== undefined) {
    checkWhole(
      "imdsHopLimit",
      props.imdsHopLimit,
      1,
      "1 keeps pods from the node's role, 2 lets them reach it",
      problems,
      64,
    );
  }
  checkNodeRepair(props.nodeRepair, managed, problems);
}

function checkNodeRepair(repair: NodeRepair | undefined, managed: boolean, problems: Problems): void {
  if (!managed && repair) {
    problems.addText("nodeRepair", "must be left out for a self-managed group, which EKS does not repair. Remove it");
  }
  for (const limit of ["maxParallelNodes", "maxUnhealthyNodes"] as const) {
    if (repair?.[limit] !== undefined) {
      checkWhole(`nodeRepair.${limit}`, repair[limit], 1, "Leave it out and EKS decides", problems);
    }
  }
}

function checkUpdatePolicy(policy: UpdatePolicy | undefined, managed: boolean, problems: Problems): void {
  if (!policy) {
    return;
  }
  const { unavailableNodes, unavailablePercentage, minHealthyPercentage } = policy;
  const forManaged = unavailableNodes !== undefined || unavailablePercentage !== undefined;
  if (managed && !forManaged) {
    problems.addText(
      "updatePolicy",
      "must be UpdatePolicy.maxUnavailable() or .maxUnavailablePercentage() for a managed node group, which EKS always updates. Use one of them",
    );
  }
  if (!managed && forManaged) {
    problems.addText(
      "updatePolicy",
      "must be UpdatePolicy.newNodesOnly() or .instanceRefresh() for a self-managed group. Use one of them",
    );
  }
  const remedy = "Fewer at a time keep more capacity, more are faster";
  if (unavailableNodes !== undefined) {
    checkWhole("updatePolicy.maxUnavailable", unavailableNodes, 1, remedy, problems, 100);
  }
  if (unavailablePercentage !== undefined) {
    checkWhole("updatePolicy.maxUnavailablePercentage", unavailablePercentage, 1, remedy, problems, 100);
  }
  if (minHealthyPercentage !== undefined) {
    checkWhole("updatePolicy.minHealthyPercentage", minHealthyPercentage, 0, remedy, problems, 100);
  }
}
