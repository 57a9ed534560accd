import { GpuSharingStrategy, JoinMethod, NodeImage } from "../../../accelerators";
import { Problems, show } from "../../../internal/problems";
import { hasListInText } from "../../../internal/tokens";
import { UserData, UserDataKind } from "../../user-data";
import { NodeShape } from "../shape";
import { bottlerocketSettings, mergeSettings } from "./bottlerocket";
import { base64, Fragment, plain, quoted, withTextTokens } from "./encode";
import { migShellPart } from "./mig";
import { nodeConfigDocument, NodeConfigFacts, nodeConfigSpec } from "./node-config";

/** Most bytes of user data before base64 (EC2 User Guide, Run commands at launch). */
const MOST_BYTES = 16384;

const BOUNDARY = "==node-user-data==";

export interface BootFacts extends NodeConfigFacts {
  readonly shape: NodeShape;
  readonly added: UserData[];
}

/** The user data of a pool's nodes in base64, or undefined where there is nothing to say. */
export function renderUserData(facts: BootFacts, problems: Problems): string | undefined {
  const { shape, added } = facts;
  const before = problems.count;
  checkParts(added, shape.image, facts, problems);
  if (problems.count > before) {
    return undefined;
  }
  const fragments = shape.bottlerocket ? settingsFragments(facts) : mimeFragments(facts);
  if (fragments.length === 0) {
    return undefined;
  }
  const bytes = fragments.reduce(
    (sum, fragment) => sum + (typeof fragment === "string" ? Buffer.byteLength(fragment) : 0),
    0,
  );
  if (bytes > MOST_BYTES) {
    problems.add(
      "userData",
      `must be at most ${MOST_BYTES} bytes with what the pool adds`,
      `${bytes} bytes`,
      "Move what is large into the image, or download it at boot",
    );
  }
  return base64(fragments);
}

function settingsFragments({ shape, added, ...facts }: BootFacts): Fragment[] {
  const own = bottlerocketSettings({ ...facts, sharing: shape.sharing, type: shape.types[0] });
  const settings = mergeSettings([own, ...added.map((part) => part.document)]);
  if (Object.keys(settings).length === 0) {
    return [];
  }
  // Loaded where it is used: most pools have no Bottlerocket nodes.
  const { stringify } = require("smol-toml") as { stringify(document: object): string };
  return quoted(stringify(withTextTokens({ settings })));
}

/** The pool's NodeConfig, then what must happen before nodeadm runs, then the user's parts in their order. */
function mimeFragments(facts: BootFacts): Fragment[] {
  const { shape, added } = facts;
  const spec = shape.image._join.name === JoinMethod.ownUserData().name ? undefined : nodeConfigSpec(facts);
  const { sharing, types } = shape;
  const parts = [
    ...(spec ? [configPart(spec)] : []),
    ...(sharing.strategy === GpuSharingStrategy.MIG
      ? [
          shellPart(
            migShellPart(`${sharing.migProfile}`, sharing._advertisedCount(types[0]) / types[0].acceleratorCount),
          ),
        ]
      : []),
    ...added.map((part) => (part.kind === UserDataKind.SHELL ? shellPart(part.script) : configPart(part.document))),
  ];
  if (parts.length === 0) {
    return [];
  }
  return joined([
    `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n\n`,
    ...parts.flat(),
    `--${BOUNDARY}--\n`,
  ]);
}

function configPart(spec: object): Fragment[] {
  return part("application/node.eks.aws", quoted(nodeConfigDocument(withTextTokens(spec))));
}

function shellPart(script: string): Fragment[] {
  return part('text/x-shellscript; charset="us-ascii"', plain(script.endsWith("\n") ? script : `${script}\n`));
}

function part(contentType: string, body: Fragment[]): Fragment[] {
  return [`--${BOUNDARY}\nContent-Type: ${contentType}\n\n`, ...body, "\n"];
}

function joined(fragments: Fragment[]): Fragment[] {
  return fragments.reduce<Fragment[]>((result, fragment) => {
    const last = result[result.length - 1];
    return typeof last === "string" && typeof fragment === "string"
      ? [...result.slice(0, -1), last + fragment]
      : [...result, fragment];
  }, []);
}

function checkParts(added: UserData[], image: NodeImage, facts: BootFacts, problems: Problems): void {
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
    checkReader(property, part, image, problems);
    if (hasListInText([part.script, part.document])) {
      problems.addText(
        property,
        "must not have a list token within a text, got: a token. Join the list with Fn.join(), or pass it as a value of its own",
      );
    }
    if (part.kind === UserDataKind.SHELL) {
      checkScript(property, part.script, problems);
    } else if (part.kind === UserDataKind.NODE_CONFIG) {
      checkNodeConfig(property, part.document, facts, problems);
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
  } else if (script.includes(`--${BOUNDARY}`)) {
    problems.addText(property, `must not hold the line that separates the parts, --${BOUNDARY}. Change the script`);
  }
}

function checkNodeConfig(property: string, spec: { [key: string]: any }, facts: BootFacts, problems: Problems): void {
  if (spec.apiVersion !== undefined || spec.kind !== undefined || spec.spec !== undefined) {
    problems.add(property, "must be the spec of a NodeConfig alone", Object.keys(spec), "Pass what stands below spec");
  }
  if (spec.cluster !== undefined) {
    problems.addText(property, "must not hold cluster, which the pool takes from its cluster. Remove it");
  }
  const flags: unknown[] = Array.isArray(spec.kubelet?.flags) ? spec.kubelet.flags : [];
  for (const flag of flags.map(String).filter((flag) => /^--(node-labels|register-with-taints)\b/.test(flag))) {
    problems.addText(
      property,
      `must not set ${show(flag)}, since the autoscaler would not know of it. Use labels and taints of the pool`,
    );
  }
  if (facts.localStorage && spec.instance?.localStorage !== undefined) {
    problems.addText(
      property,
      "must not hold instance.localStorage beside the pool's localStorage. Say it in one place",
    );
  }
}
