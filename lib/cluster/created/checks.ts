import { checkChoice, checkFlag, checkLists, checkMaps, checkProperties } from "../../internal/choices";
import { list, Problems } from "../../internal/problems";
import { checkTagKeys, checkTagMap } from "../../internal/tags";
import { checkTextTokens } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { checkTexts } from "../cluster-checks";
import { ClusterNetwork } from "../cluster-network";
import { ControlPlaneLog, ControlPlaneLogging } from "../control-plane-logging";
import { EksAddonVersions } from "../eks-addon-versions";
import { EndpointAccess } from "../endpoint-access";
import { GpuClusterProps, PodAddressing } from "../gpu-cluster-props";
import { checkOffered } from "../kubernetes-version";
import { overlap, parseCidr, within } from "../network/cidr";
import { SystemNodes } from "../system-nodes";
import { checkAdmins } from "./admins";
import { checkAddonVersions } from "./eks-addons";
import { checkNetwork, cidrOf } from "./network-checks";
import { checkSystemNodes } from "./system-node-group";

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<GpuClusterProps>]: true } = {
  clusterName: true,
  kubernetesVersion: true,
  availabilityZones: true,
  network: true,
  endpointAccess: true,
  admins: true,
  serviceCidr: true,
  logging: true,
  deletionProtection: true,
  addonVersions: true,
  podAddressing: true,
  systemNodes: true,
  registry: true,
  tags: true,
  provider: true,
  dependsOn: true,
};
const OF_LOGGING: { [property in keyof Required<ControlPlaneLogging>]: true } = { types: true, retentionDays: true };
const OF_NODES: { [property in keyof Required<SystemNodes>]: true } = {
  instanceTypes: true,
  minNodes: true,
  maxNodes: true,
};
const OF_VERSIONS: { [property in keyof Required<EksAddonVersions>]: true } = {
  vpcCni: true,
  kubeProxy: true,
  coreDns: true,
  podIdentityAgent: true,
  ebsCsiDriver: true,
};

/** Most address ranges that reach an API server from the internet (EKS endpoints and quotas). */
const MOST_PUBLIC_CIDRS = 40;

/** What CloudWatch Logs offers (CloudWatch Logs API, PutRetentionPolicy). */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Ranges of the internet that are not part of it (RFC 1918). EKS takes ranges of services from them, and public ones elsewhere. */
const PRIVATE_RANGES = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map((text) => parseCidr(text)!);
/** Longest and shortest range of services (EKS API, KubernetesNetworkConfigRequest). */
const SERVICE_PREFIX = { shortest: 12, longest: 24 };

/** Refuses values of the wrong form, about which nothing else can be asked. */
export function checkForm(props: GpuClusterProps, problems: Problems): void {
  checkProperties(props, PROPERTIES, problems);
  checkProperties(props.logging, OF_LOGGING, problems, "logging.");
  checkProperties(props.systemNodes, OF_NODES, problems, "systemNodes.");
  checkProperties(props.addonVersions, OF_VERSIONS, problems, "addonVersions.");
  checkLists(props, ["availabilityZones", "admins"], problems);
  checkLists({ "logging.types": props.logging?.types }, ["logging.types"], problems);
  checkLists(
    { "systemNodes.instanceTypes": props.systemNodes?.instanceTypes },
    ["systemNodes.instanceTypes"],
    problems,
  );
  checkMaps(props, ["tags"], problems);
  checkFlag("deletionProtection", props.deletionProtection, "Leave it out for EKS's default", problems);
  const { network, endpointAccess } = props;
  checkChoice(
    "network",
    network,
    ClusterNetwork.isClusterNetwork,
    "ClusterNetwork.own(), .isolated() or .existing()",
    problems,
  );
  checkChoice(
    "endpointAccess",
    endpointAccess,
    EndpointAccess.isEndpointAccess,
    "EndpointAccess.privateOnly() or .publicFrom(); one without both could not be reached and is not offered",
    problems,
  );
  if (props.podAddressing !== undefined && !Object.values(PodAddressing).includes(props.podAddressing)) {
    const members = "PodAddressing.SECONDARY_ADDRESSES or PodAddressing.PREFIXES";
    problems.add("podAddressing", `must be ${members}`, props.podAddressing, "Choose one of them");
  }
}

/** Everything else that can be wrong with a cluster that is to be made. */
export function checkCluster(props: GpuClusterProps, problems: Problems): void {
  if (typeof props.clusterName === "string" && !isKnown(props.clusterName)) {
    problems.addText(
      "clusterName",
      "must be a literal text, because names of other resources are made from it, got: a token. Write it out",
    );
  }
  checkTexts(props, ["clusterName", "registry"], problems);
  checkOffered(props.kubernetesVersion, problems);
  checkNetwork(props, problems);
  checkServiceCidr(props, problems);
  checkAccess(props.endpointAccess, problems);
  checkAdmins(props.admins, problems);
  checkLogging(props.logging ?? {}, problems);
  checkAddonVersions(props.addonVersions ?? {}, problems);
  checkSystemNodes(props.systemNodes ?? {}, problems);
  checkTagMap(props.tags ?? {}, "cluster", problems);
  checkTagKeys(["Name", ...Object.keys(props.tags ?? {}).filter((key) => key !== "Name")], problems);
}

function checkAccess(access: EndpointAccess | undefined, problems: Problems): void {
  if (!access?.isPublic) {
    return;
  }
  const property = "endpointAccess";
  const cidrs = access.publicCidrs;
  if (!Array.isArray(cidrs) || !isKnown(cidrs) || cidrs.length === 0 || cidrs.length > MOST_PUBLIC_CIDRS) {
    problems.add(
      property,
      `must name 1 to ${MOST_PUBLIC_CIDRS} address ranges, written out, that reach the API server from the internet`,
      Array.isArray(cidrs) && cidrs.length > MOST_PUBLIC_CIDRS ? cidrs.length : cidrs,
      "Name your networks' public ranges, or use EndpointAccess.privateOnly()",
    );
    return;
  }
  for (const cidr of cidrs) {
    const range = parseCidr(cidr);
    if (!range) {
      problems.add(property, "must have IPv4 ranges such as 203.0.113.0/24", cidr, "A single address ends with /32");
    } else if (range.prefix === 0) {
      problems.add(
        property,
        "must not open the API server to the whole internet",
        cidr,
        "Name your networks' public ranges",
      );
    } else if (PRIVATE_RANGES.some((each) => overlap(each, range))) {
      problems.add(
        property,
        "must have public ranges, because private ones reach the private address",
        cidr,
        "Remove it",
      );
    }
  }
}

function checkServiceCidr({ serviceCidr, network }: GpuClusterProps, problems: Problems): void {
  const property = "serviceCidr";
  if (serviceCidr === undefined || !checkTextTokens(property, serviceCidr, problems) || !isKnown(serviceCidr)) {
    return;
  }
  const range = typeof serviceCidr === "string" ? parseCidr(serviceCidr) : undefined;
  if (
    !range ||
    range.prefix < SERVICE_PREFIX.shortest ||
    range.prefix > SERVICE_PREFIX.longest ||
    !PRIVATE_RANGES.some((each) => within(range, each))
  ) {
    problems.add(
      property,
      `must be a range of /${SERVICE_PREFIX.shortest} to /${SERVICE_PREFIX.longest} in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16`,
      serviceCidr,
      "Such as 172.20.0.0/16, or leave it out",
    );
    return;
  }
  const vpc = network?._existing ? undefined : cidrOf(network);
  const ofVpc = vpc === undefined ? undefined : parseCidr(vpc);
  if (ofVpc && overlap(ofVpc, range)) {
    problems.add(
      property,
      `must not overlap the VPC's range, ${vpc}`,
      serviceCidr,
      "Choose another range for one of them, or leave serviceCidr out",
    );
  }
}

function checkLogging({ types, retentionDays }: ControlPlaneLogging, problems: Problems): void {
  const all = Object.values(ControlPlaneLog);
  for (const type of types?.filter((each) => !all.includes(each)) ?? []) {
    problems.add("logging.types", `must be members of ControlPlaneLog (${list(all)})`, type, "Choose among them");
  }
  if (types?.some((type, index) => types.indexOf(type) !== index)) {
    problems.add("logging.types", "must name each log once", types.join(", "), "Remove the repetition");
  }
  if (retentionDays !== undefined && isKnown(retentionDays) && !RETENTION_DAYS.includes(retentionDays)) {
    problems.add(
      "logging.retentionDays",
      `must be one of ${RETENTION_DAYS.join(", ")}`,
      retentionDays,
      "Choose one of them",
    );
  }
}
