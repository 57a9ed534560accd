import { JoinMethod, NodeImage } from "../../../accelerators";
import { Problems, show } from "../../../internal/problems";
import { hasListInText, isKnown } from "../../../internal/tokens";
import { LocalStorage } from "../../local-storage";
import { UserData, UserDataKind } from "../../user-data";
import { checkDocument, isDocument } from "./document-checks";
import { DELIMITER } from "./mime";

/** What decides which parts are of use, and what they must leave to the pool. */
export interface PartFacts {
  readonly image: NodeImage;
  /** Given with EFA. */
  readonly maxPods?: number;
  readonly localStorage?: LocalStorage;
}

type Document = { [key: string]: any };

const NOT_FOR_AUTOSCALER = "since the autoscaler would not know of it. Use labels and taints of the pool";

/** Tables of settings that the pool has a part in. */
const MERGED_TABLES = ["kubernetes", "kubelet-device-plugins", "bootstrap-commands"];

export function checkParts(added: UserData[], facts: PartFacts, problems: Problems): void {
  added.forEach((part, index) => {
    const property = `userData[${index}]`;
    if (!UserData.isUserData(part)) {
      problems.add(
        property,
        "must be made by UserData.shell(), .nodeConfig() or .bottlerocketSettings()",
        part,
        "Call one of them",
      );
      return;
    }
    checkReader(property, part, facts.image, problems);
    if (part.kind === UserDataKind.SHELL) {
      checkScript(property, part.script, problems);
    } else if (checkDocument(property, part.document, part.kind, problems)) {
      checkContents(property, part, facts, problems);
    } else {
      return;
    }
    if (hasListInText([part.script, part.document])) {
      problems.addText(
        property,
        "must not have a list token within a text, got: a token. Join the list with Fn.join(), or pass it as a value of its own",
      );
    }
  });
}

/** A part that nothing on the node reads would be dropped without a word. */
function checkReader(property: string, { kind }: UserData, image: NodeImage, problems: Problems): void {
  const reads: { [join: string]: UserDataKind[] } = {
    [JoinMethod.nodeadm().name]: [UserDataKind.SHELL, UserDataKind.NODE_CONFIG],
    [JoinMethod.bottlerocket().name]: [UserDataKind.BOTTLEROCKET_SETTINGS],
    [JoinMethod.ownUserData().name]: [UserDataKind.SHELL],
  };
  if (!reads[image._join.name].includes(kind)) {
    problems.add(
      property,
      `must be a part that nodes of ${image.name} read (${reads[image._join.name].join(" or ")})`,
      kind,
      "Remove it, or choose another image",
    );
  }
}

function checkScript(property: string, script: string, problems: Problems): void {
  if (typeof script !== "string" || !script.startsWith("#!")) {
    const got = typeof script === "string" ? script.split("\n")[0].slice(0, 40) : script;
    problems.add(
      property,
      "must begin with an interpreter line, without which cloud-init does not run it",
      got,
      "Begin with #!/bin/bash",
    );
  } else if (script.includes(DELIMITER)) {
    problems.addText(property, `must not hold the line that separates the parts, ${DELIMITER}. Change the script`);
  }
}

function checkContents(property: string, { kind, document }: UserData, facts: PartFacts, problems: Problems): void {
  if (kind === UserDataKind.NODE_CONFIG) {
    checkNodeConfig(property, document, facts, problems);
  } else {
    checkSettings(property, document, facts, problems);
  }
}

/** What the pool decides would be overruled by the user's document, which comes later. */
function checkNodeConfig(property: string, spec: Document, facts: PartFacts, problems: Problems): void {
  const refuse = (text: string): void => problems.addText(property, text);
  if (spec.apiVersion !== undefined || spec.kind !== undefined || spec.spec !== undefined) {
    problems.add(property, "must be the spec of a NodeConfig alone", Object.keys(spec), "Pass what stands below spec");
  }
  if (spec.cluster !== undefined) {
    refuse("must not hold cluster, which the pool takes from its cluster. Remove it");
  }
  const { config, flags = [] } = isDocument(spec.kubelet) ? spec.kubelet : {};
  if (!Array.isArray(flags) && isKnown(flags)) {
    problems.add(`${property}.kubelet.flags`, "must be a list", flags, 'Such as ["--v=2"]');
  }
  checkFlags(Array.isArray(flags) ? flags.map(String) : [], facts, refuse);
  if (isDocument(config) && config.registerWithTaints !== undefined) {
    refuse(`must not hold kubelet.config.registerWithTaints, ${NOT_FOR_AUTOSCALER}`);
  }
  if (isDocument(config) && config.maxPods !== undefined && facts.maxPods !== undefined) {
    refuse(maxPodsText("kubelet.config.maxPods", facts.maxPods));
  }
  if (facts.localStorage && isDocument(spec.instance) && spec.instance.localStorage !== undefined) {
    refuse("must not hold instance.localStorage beside the pool's localStorage. Say it in one place");
  }
}

function checkFlags(flags: string[], { maxPods }: PartFacts, refuse: (text: string) => void): void {
  for (const flag of flags) {
    if (/^--(node-labels|register-with-taints)\b/.test(flag)) {
      refuse(`must not set ${show(flag)}, ${NOT_FOR_AUTOSCALER}`);
    } else if (maxPods !== undefined && /^--max-pods\b/.test(flag)) {
      refuse(maxPodsText(flag, maxPods));
    }
  }
}

function checkSettings(property: string, settings: Document, facts: PartFacts, problems: Problems): void {
  const refuse = (text: string): void => problems.addText(property, text);
  if (settings.settings !== undefined) {
    problems.add(
      property,
      "must be the settings without the leading settings",
      Object.keys(settings),
      "Pass what stands below it",
    );
  }
  for (const table of MERGED_TABLES.filter((table) => table in settings && !isDocument(settings[table]))) {
    problems.add(`${property}.${table}`, "must be a table that is written out", settings[table], "Write its keys out");
  }
  const kubernetes = isDocument(settings.kubernetes) ? settings.kubernetes : {};
  for (const key of ["cluster-name", "api-server", "cluster-certificate"].filter((key) => key in kubernetes)) {
    refuse(`must not hold kubernetes.${key}, which the pool takes from its cluster. Remove it`);
  }
  for (const key of ["node-labels", "node-taints"].filter((key) => key in kubernetes)) {
    refuse(`must not hold kubernetes.${key}, ${NOT_FOR_AUTOSCALER}`);
  }
  if ("max-pods" in kubernetes && facts.maxPods !== undefined) {
    refuse(maxPodsText("kubernetes.max-pods", facts.maxPods));
  }
}

function maxPodsText(what: string, maxPods: number): string {
  return `must not set ${what}, which the pool sets to ${maxPods}, the pods that EFA devices leave addresses for. Remove it`;
}
