import { GpuSharingStrategy } from "../../../accelerators";
import { NodeTaint } from "../../../cluster";
import { Problems } from "../../../internal/problems";
import { identityOf } from "../../../internal/tokens";
import { UserData, UserDataKind } from "../../user-data";
import { joinsByItself, NodeShape } from "../shape";
import { bottlerocketSettings, mergeSettings } from "./bottlerocket";
import { base64, bytesOf, Fragment, quoted, withTextTokens } from "./encode";
import { migShellPart } from "./mig";
import { configPart, multipart, shellPart } from "./mime";
import { NodeConfigFacts, nodeConfigSpec } from "./node-config";
import { nodeLifecyclePart } from "./node-lifecycle";
import { checkParts } from "./part-checks";
import { prepullPart } from "./prepull-images";

/** Most bytes of user data before base64 (EC2 User Guide, Run commands at launch). */
const MOST_BYTES = 16384;

export interface BootFacts extends NodeConfigFacts {
  readonly shape: NodeShape;
  readonly added: UserData[];
  /** Whether each node has to find out how it was bought. */
  readonly tellsMarket: boolean;
  /** Images that are pulled at boot. */
  readonly images: string[];
}

/** The user data of a pool's nodes in base64, or undefined where there is nothing to say. */
export function renderUserData(facts: BootFacts, problems: Problems): string | undefined {
  const { shape, added, maxPods, localStorage } = facts;
  const before = problems.count;
  checkParts(added, { image: shape.image, maxPods, localStorage }, problems);
  if (facts.images.length > 0 && (shape.bottlerocket || joinsByItself(shape.image))) {
    problems.addText(
      "images",
      "must be left out for an image that nodeadm does not configure, because they are pulled into the containerd that it starts. Use EKS's AL2023, or bake them into the image",
    );
  }
  if (problems.count > before) {
    return undefined;
  }
  const sorted = {
    ...facts,
    labels: labelsByKey(facts.labels),
    taints: taintsByKey(facts.taints),
    images: imagesByName(facts.images),
  };
  const fragments = shape.bottlerocket ? settingsFragments(sorted) : mimeFragments(sorted);
  if (fragments.length === 0) {
    return undefined;
  }
  const bytes = bytesOf(fragments);
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

/** In one order: user data that differs in it alone would still be another launch template, and replace nodes. */
function labelsByKey(labels: { [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function taintsByKey(taints: NodeTaint[]): NodeTaint[] {
  return [...taints].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function imagesByName(images: string[]): string[] {
  return [...images].sort((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1));
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
  const { shape, added, images } = facts;
  const spec = joinsByItself(shape.image) ? undefined : nodeConfigSpec(facts);
  const { sharing, types } = shape;
  return multipart([
    ...(spec ? [configPart(spec)] : []),
    ...(facts.tellsMarket && !joinsByItself(shape.image) ? [shellPart(nodeLifecyclePart())] : []),
    ...(sharing.strategy === GpuSharingStrategy.MIG
      ? [
          shellPart(
            migShellPart(`${sharing.migProfile}`, sharing._advertisedCount(types[0]) / types[0].acceleratorCount),
          ),
        ]
      : []),
    ...(images.length > 0 ? [shellPart(prepullPart(images))] : []),
    ...added.map((part) => (part.kind === UserDataKind.SHELL ? shellPart(part.script) : configPart(part.document))),
  ]);
}
