import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLists, isWritten } from "../../../internal/choices";
import { Problems } from "../../../internal/problems";
import { checkTextTokens } from "../../../internal/texts";
import { identityOf, isKnown } from "../../../internal/tokens";

const SCRIPT = "/usr/local/sbin/prepull-images";
const LIST = "/etc/prepull-images";
const UNIT = "prepull-images.service";

/** The library's own bound: the list is part of the user data, and its images share the node's disk with all others. */
const MOST_IMAGES = 20;

let script: string | undefined;

/**
 * A shell part by which a node pulls images at this boot and every later one, beside the kubelet.
 *
 * nodeadm configures containerd and starts it, and mounts the local disks that hold its images, so that the unit comes
 * after it. It must not require nodeadm-run.service, which ends when its work is done: systemd would run it again. Nor
 * must cloud-init wait for the unit, since nodeadm waits for cloud-init. Type=exec, because a oneshot unit would hold up
 * what comes after multi-user.target. The priority is that of the downloads; containerd unpacks.
 *
 * The references must have passed `checkImages`. None of their signs can end the list, nor does the shell read it.
 */
export function prepullPart(images: string[]): string {
  script ??= readFileSync(join(__dirname, "prepull-images.sh"), "utf8");
  return `#!/bin/bash
set -euo pipefail
cat >${SCRIPT} <<'PREPULL_IMAGES'
${script.trimEnd()}
PREPULL_IMAGES
chmod 0755 ${SCRIPT}
cat >${LIST} <<'LIST'
${images.join("\n")}
LIST
cat >/etc/systemd/system/${UNIT} <<'UNIT'
[Unit]
Description=Pulls images before pods ask for them
After=nodeadm-run.service containerd.service
[Service]
Type=exec
ExecStart=${SCRIPT} ${LIST}
Nice=10
IOSchedulingClass=idle
[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable ${UNIT}
systemctl start --no-block ${UNIT}
`;
}

const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const HOST = `(?:${LABEL}(?:\\.${LABEL})+|localhost|${LABEL}(?=:))(?::(?<port>\\d+))?`;
const STEP = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
/** The registry may be missing here: that is refused with a text of its own. */
const REFERENCE = new RegExp(
  `^(?:(?<host>${HOST})/)?(?<repository>${STEP}(?:/${STEP})*)` +
    "(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?<digest>@sha256:[0-9a-f]{64})?$",
);
/** The kubelet parses no longer one (distribution/reference, RepositoryNameTotalLengthMax). */
const LONGEST_REPOSITORY = 255;
const EXAMPLE = "Such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/vllm:0.9.1";

interface Reference {
  readonly host?: string;
  readonly port?: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

interface ReferenceRule {
  readonly isBroken: (reference: Reference) => boolean;
  readonly rule: string;
  readonly remedy: string;
}

/** ctr takes references as they are; the kubelet's are made whole first (distribution/reference, ParseDockerRef). */
const RULES: ReferenceRule[] = [
  {
    isBroken: ({ host }) => host === undefined,
    rule: "must begin with the host of its registry",
    remedy: "Images of Docker Hub begin with docker.io/",
  },
  {
    isBroken: ({ port }) => port !== undefined && (Number(port) < 1 || Number(port) > 65535),
    rule: "must have a port from 1 to 65535 where it has one",
    remedy: "Correct it, or leave it out for that of HTTPS",
  },
  {
    isBroken: ({ host }) => host === "index.docker.io",
    rule: "must name Docker Hub by docker.io, since the kubelet looks for its images under that",
    remedy: "Write docker.io/ in place of index.docker.io/, and docker.io/library/ for official images",
  },
  {
    isBroken: ({ repository }) => repository.length > LONGEST_REPOSITORY,
    rule: `must have a repository of at most ${LONGEST_REPOSITORY} characters`,
    remedy: "Give the name by which the registry knows it",
  },
  {
    isBroken: ({ host, repository }) => host === "docker.io" && !repository.includes("/"),
    rule: "must have the whole name of its repository",
    remedy: "Official images of Docker Hub begin with docker.io/library/",
  },
  {
    isBroken: ({ tag, digest }) => tag === undefined && digest === undefined,
    rule: "must have a tag or a digest",
    remedy: "Add that of the image which pods ask for",
  },
  {
    isBroken: ({ tag, digest }) => tag !== undefined && digest !== undefined,
    rule: "must not have a tag beside its digest, since the kubelet looks for the image without it",
    remedy: "Remove the tag",
  },
  {
    isBroken: ({ tag }) => tag === "latest",
    rule: "must not have the tag latest, which means another image on a later node",
    remedy: "Give a version, or a digest",
  },
];

/** Refuses images that nodes could not pull, or would keep under another name than the kubelet asks for. */
export function checkImages(images: unknown, problems: Problems): void {
  checkLists({ images }, ["images"], problems);
  if (!isWritten(images)) {
    return;
  }
  if (images.length > MOST_IMAGES) {
    problems.add(
      "images",
      `must name at most ${MOST_IMAGES} images`,
      images.length,
      "Name the largest, and leave the others to the kubelet",
    );
  }
  const seen: string[] = [];
  // Spread, since forEach passes over the holes of a list.
  [...images].forEach((image, index) => {
    const property = `images[${index}]`;
    if (!checkReference(property, image, problems)) {
      return;
    }
    const identity = identityOf(image);
    if (seen.includes(identity)) {
      problems.add(property, "must be another image than those before it", image, "Remove it");
    }
    seen.push(identity);
  });
}

function checkReference(property: string, image: unknown, problems: Problems): image is string {
  if (!checkTextTokens(property, image, problems)) {
    return false;
  }
  if (typeof image === "string" && !isKnown(image)) {
    // Of what a token stands for nobody knows here; what stands beside it must not end the line in the list.
    const whole = !/\s/.test(image);
    if (!whole) {
      problems.add(property, "must be one reference, without white space", image, EXAMPLE);
    }
    return whole;
  }
  const match = typeof image === "string" ? REFERENCE.exec(image) : null;
  const reference = match?.groups as Reference | undefined;
  if (reference === undefined) {
    problems.add(
      property,
      "must be the full reference of an image: registry, repository, and tag or digest",
      image,
      EXAMPLE,
    );
    return false;
  }
  const broken = RULES.find(({ isBroken }) => isBroken(reference));
  if (broken) {
    problems.add(property, broken.rule, image, broken.remedy);
  }
  return broken === undefined;
}
