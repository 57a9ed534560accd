import { NodeTaint } from "../../cluster";
import { isRecord, isWritten } from "../../internal/choices";
import { Problems, show } from "../../internal/problems";
import { checkText, checkTextTokens } from "../../internal/texts";
import { ElasticGpuNodePoolProps } from "../elastic-gpu-node-pool-props";

/** Refuses what is no text where text is wanted, and tokens that would not be found in it. User data has its own rules. */
export function checkTexts(props: ElasticGpuNodePoolProps, problems: Problems): void {
  for (const [property, value] of textsOf(props)) {
    checkText(property, value, problems);
  }
  for (const [property, value] of labelledTextsOf(props)) {
    checkTextTokens(property, value, problems);
  }
}

function textsOf(props: ElasticGpuNodePoolProps): [string, unknown][] {
  const { capacity, image, nodeRole } = props;
  return [
    ["name", props.name],
    ["capacity.reservationId", capacity?.reservationId],
    ["capacity.resourceGroupArn", capacity?.resourceGroupArn],
    ["capacity.endsAt", capacity?.endsAt],
    ["image.imageId", image?.imageId],
    ["image.releaseVersion", image?.releaseVersion],
    ["image.rootDeviceName", image?._rootDeviceName],
    ["placement", props.placement?.groupName],
    ["rootVolume.encryption", props.rootVolume?.encryption?.keyArn],
    ["nodeRole.roleArn", nodeRole?.roleArn],
    ["nodeRole.roleName", nodeRole?.roleName],
    ...membersOf("nodeRole.managedPolicyArns", nodeRole?.managedPolicyArns),
    ...membersOf("subnetIds", props.subnetIds),
    ...membersOf("securityGroupIds", props.securityGroupIds),
    // Of a text, more is asked: it must be a literal.
    ...taintsOf(props).flatMap(({ key }, index) => (typeof key === "string" ? [] : [entry(`taints[${index}]`, key)])),
  ];
}

/** Those whose own rules say what to write in the place of a number, or of nothing. */
function labelledTextsOf(props: ElasticGpuNodePoolProps): [string, unknown][] {
  const { kubernetesVersion, workload, labels } = props;
  return [
    ["kubernetesVersion", kubernetesVersion],
    ["workload", workload?.name],
    ...(isRecord(labels) ? Object.entries(labels).map(([key, value]) => entry(`labels[${show(key)}]`, value)) : []),
    ...taintsOf(props).map(({ key, value }) => entry(`taints[${show(key)}]`, value)),
  ];
}

function taintsOf({ taints }: ElasticGpuNodePoolProps): NodeTaint[] {
  return isWritten(taints) ? taints.filter(NodeTaint.isNodeTaint) : [];
}

function membersOf(property: string, list: unknown): [string, unknown][] {
  return isWritten(list) ? list.map((member, index) => entry(`${property}[${index}]`, member)) : [];
}

function entry(property: string, value: unknown): [string, unknown] {
  return [property, value];
}
