import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DataAwsEcrRepository } from "@cdktf/provider-aws/lib/data-aws-ecr-repository";
import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack, TerraformVariable, Token } from "cdktf";
import { nodeLifecyclePart } from "../../../lib/pools/node-group/boot/node-lifecycle";
import { checkImages, prepullPart } from "../../../lib/pools/node-group/boot/prepull-images";
import { Problems } from "../../../lib/internal/problems";
import { root } from "../../support/rig";
import { describeShellcheck } from "../../support/shellcheck";
import { BootNode, Run } from "./fakes/boot-node";

const SCRIPT = join(root, "lib/pools/node-group/boot/prepull-images.sh");
const ECR = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/vllm:0.9.1";
const PUBLIC = "public.ecr.aws/eks-distro/kubernetes/pause:3.10";
const HUB = "docker.io/vllm/vllm-openai:v0.9.1";
const PINNED = "io.cri-containerd.pinned=pinned";

interface NodeOptions {
  /** The configuration of containerd. Left out: one without a snapshotter. */
  readonly containerd?: string;
  /** How often pulls of an image fail. Left out: never. */
  readonly failing?: { [image: string]: number };
  /** The registry that wants a login, and that login. Left out: that of `ECR`. */
  readonly login?: [string, string];
  /** Further files of the fakes. */
  readonly state?: { [file: string]: string };
}

/** A node on which cloud-init has run the part, so that nodeadm is about to start containerd. */
function nodeFor(images: string[], options: NodeOptions = {}): BootNode {
  const login = options.login ?? [ECR.split("/")[0], "AWS:password-of-eu-central-1"];
  const node = new BootNode({
    failing: Object.entries(options.failing ?? {})
      .map(([image, times]) => `${image} ${times}\n`)
      .join(""),
    logins: `${login.join(" ")}\n`,
    images: "",
    mirrored: "",
    ...options.state,
  });
  expect(node.run(prepullPart(images))).toEqual({
    status: 0,
    log: [],
    calls: [
      "systemctl daemon-reload",
      "systemctl enable prepull-images.service",
      "systemctl start --no-block prepull-images.service",
    ],
  });
  node.write("etc/containerd/config.toml", options.containerd ?? "version = 3\n");
  return node;
}

/** Starts the unit as systemd does once nodeadm is done. */
function startUnit(node: BootNode): Run {
  const [, command] = /^ExecStart=(.*)$/m.exec(node.read("etc/systemd/system/prepull-images.service")) ?? [];
  return node.run(`${command}`);
}

const imagesOf = (node: BootNode): string[] => node.read("fake/images").split("\n").filter(Boolean);
const kept = (image: string, snapshotter = "overlayfs") => `${image} k8s.io ${snapshotter} ${PINNED}`;

describe("the part of the user data", () => {
  test("puts the script and the list in place as they are", () => {
    const node = nodeFor([ECR, PUBLIC]);
    expect(node.read("usr/local/sbin/prepull-images")).toBe(readFileSync(SCRIPT, "utf8"));
    expect(node.read("etc/prepull-images")).toBe(`${ECR}\n${PUBLIC}\n`);
  });

  test("has the images pulled at every boot, after nodeadm, which is not run by it, and with low priority", () => {
    expect(nodeFor([ECR]).read("etc/systemd/system/prepull-images.service")).toBe(
      [
        "[Unit]",
        "Description=Pulls images before pods ask for them",
        "After=nodeadm-run.service containerd.service",
        "[Service]",
        "Type=exec",
        "ExecStart=/usr/local/sbin/prepull-images /etc/prepull-images",
        "Nice=10",
        "IOSchedulingClass=idle",
        "[Install]",
        "WantedBy=multi-user.target",
        "",
      ].join("\n"),
    );
  });

  test("leaves most of the user data to others, with the longest list that is usual and the market's part", () => {
    const images = Array.from({ length: 20 }, (_, index) => ECR.replace("vllm", `team/inference-server-${index}`));
    expect(`${prepullPart(images)}${nodeLifecyclePart()}`.length).toBeLessThan(16384 / 2);
  });
});

describe("an image", () => {
  test.each([
    ["of ECR is pulled with the password for its region", ECR, "eu-central-1"],
    ["of ECR over FIPS, too", "123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com/a/b:1", "us-gov-west-1"],
    ["of ECR in China, too", "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/a:1", "cn-north-1"],
    ["of ECR over two protocols, too", "123456789012.dkr-ecr.us-east-1.on.aws/a:1", "us-east-1"],
  ])("%s", (_, image, region) => {
    const node = nodeFor([image], { login: [image.split("/")[0]!, `AWS:password-of-${region}`] });
    const { status, log, calls } = startUnit(node);
    expect(status).toBe(0);
    expect(log).toEqual([expect.stringMatching(/^prepull-images: pulled \S+ in \d+ s$/)]);
    expect(calls).toEqual([
      "sleep 0",
      `aws ecr get-login-password --region ${region}`,
      `ctr pull ${image} as AWS:password-of-${region}`,
    ]);
    expect(imagesOf(node)).toEqual([kept(image)]);
  });

  test.each([
    ["ECR's public gallery", PUBLIC],
    ["another registry", HUB],
    ["a registry whose name begins as ECR's", "123456789012.dkr.ecr.us-east-1.amazonaws.com.example.org/a:1"],
    ["a registry that has ECR's name in its path", `mirror.example.org/${ECR}`],
  ])("of %s is pulled without a login", (_, image) => {
    const node = nodeFor([image]);
    const { status, calls } = startUnit(node);
    expect({ status, calls }).toEqual({ status: 0, calls: ["sleep 0", `ctr pull ${image}`] });
    expect(imagesOf(node)).toEqual([kept(image)]);
  });

  test("is pulled through the mirror that the kubelet's pulls go through", () => {
    const node = nodeFor([HUB], { state: { mirrored: "docker.io\n" } });
    node.write("etc/containerd/certs.d/docker.io/hosts.toml", "");
    expect(startUnit(node).status).toBe(0);
    expect(imagesOf(node)).toEqual([kept(HUB)]);
  });

  test("may have a digest for its name", () => {
    const image = `${HUB.split(":")[0]}@sha256:${"0123456789abcdef".repeat(4)}`;
    const node = nodeFor([image]);
    expect(startUnit(node).status).toBe(0);
    expect(imagesOf(node)).toEqual([kept(image)]);
  });
});

describe("the snapshotter", () => {
  const runtimes = (cri: string) => `[plugins.'${cri}'.containerd.runtimes.kata]\nsnapshotter = "blockfile"\n`;
  test.each([
    [
      "that containerd 2 names for images",
      "soci",
      `${runtimes("io.containerd.cri.v1.runtime")}[plugins.'io.containerd.cri.v1.images']\ndiscard_unpacked_layers = true\nsnapshotter = 'soci'\n[plugins.'io.containerd.cri.v1.images'.registry]\n`,
    ],
    [
      "that containerd 1 names",
      "soci",
      `${runtimes("io.containerd.grpc.v1.cri")}[plugins."io.containerd.grpc.v1.cri".containerd]\n  snapshotter = "soci" # parallel\n`,
    ],
    [
      "of a runtime is not meant",
      "overlayfs",
      `${runtimes("io.containerd.grpc.v1.cri")}[[plugins."io.containerd.transfer.v1.local".unpack_config]]\nsnapshotter = "native"\n[plugins.'io.containerd.cri.v1.images']\n# snapshotter = "soci"\n`,
    ],
  ])("%s", (_, snapshotter, containerd) => {
    const node = nodeFor([HUB], { containerd });
    expect(startUnit(node).status).toBe(0);
    expect(imagesOf(node)).toEqual([kept(HUB, snapshotter)]);
  });
});

describe("a pull that fails", () => {
  test("is tried again after longer and longer waits", () => {
    const node = nodeFor([HUB], { failing: { [HUB]: 2 } });
    const { status, calls } = startUnit(node);
    const pull = `ctr pull ${HUB}`;
    expect({ status, calls }).toEqual({ status: 0, calls: ["sleep 0", pull, "sleep 10", pull, "sleep 30", pull] });
    expect(imagesOf(node)).toEqual([kept(HUB)]);
  });

  test("three times is given up, and the other images are pulled all the same", () => {
    const node = nodeFor([PUBLIC, HUB, ECR], { failing: { [HUB]: 3 } });
    const { status, log } = startUnit(node);
    expect(status).toBe(1);
    expect(log).toContain(`prepull-images: gave up on ${HUB}`);
    expect(imagesOf(node)).toEqual([kept(PUBLIC), kept(ECR)]);
  });

  test("for want of a password is not tried without one", () => {
    const node = nodeFor([ECR, HUB], { state: { "no-role": "" } });
    const { status, log, calls } = startUnit(node);
    expect(status).toBe(1);
    expect(log).toContain(`prepull-images: gave up on ${ECR}`);
    expect(calls.filter((call) => call.startsWith("ctr"))).toEqual([`ctr pull ${HUB}`]);
    expect(imagesOf(node)).toEqual([kept(HUB)]);
  });
});

describe("a second boot", () => {
  test("asks no registry for what is there", () => {
    const node = nodeFor([ECR, HUB]);
    startUnit(node);
    expect(startUnit(node)).toEqual({
      status: 0,
      log: [`prepull-images: ${ECR} is there`, `prepull-images: ${HUB} is there`],
      calls: [],
    });
    expect(imagesOf(node)).toEqual([kept(ECR), kept(HUB)]);
  });

  test("pulls what the first could not, and what went with its disk", () => {
    const node = nodeFor([ECR, HUB, PUBLIC], { failing: { [HUB]: 3 } });
    expect(startUnit(node).status).toBe(1);
    node.write("fake/images", `${kept(ECR)}\n`);
    const { status, calls } = startUnit(node);
    expect({ status, calls }).toEqual({
      status: 0,
      calls: ["sleep 0", `ctr pull ${HUB}`, "sleep 0", `ctr pull ${PUBLIC}`],
    });
    expect(imagesOf(node)).toEqual([kept(ECR), kept(HUB), kept(PUBLIC)]);
  });

  test("pins what the kubelet pulled", () => {
    const node = nodeFor([HUB]);
    node.write("fake/images", `${HUB} k8s.io overlayfs io.cri-containerd.image=managed\n`);
    expect(startUnit(node).status).toBe(0);
    expect(imagesOf(node)).toEqual([kept(HUB)]);
  });
});

describe("a list of images", () => {
  const stack = new TerraformStack(new App(), "test");
  new AwsProvider(stack, "aws", { region: "us-east-1" });
  const repository = new DataAwsEcrRepository(stack, "repository", { name: "vllm" });
  const text = new TerraformVariable(stack, "text", { type: "string" });
  const many = new TerraformVariable(stack, "many", { type: "list(string)" });
  const count = new TerraformVariable(stack, "count", { type: "number" });
  const DIGEST = `@sha256:${"0123456789abcdef".repeat(4)}`;
  const EXAMPLE = "Such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/vllm:0.9.1";
  const FULL = "must be the full reference of an image: registry, repository, and tag or digest";

  function refusal(images: unknown): string[] {
    const problems = new Problems(stack);
    checkImages(images, problems);
    return problems.lines.map((line) => line.replace(/^test: /, ""));
  }

  test.each<[string, unknown]>([
    ["left out", undefined],
    ["empty", []],
    [
      "of registries of all kinds",
      [ECR, PUBLIC, HUB, "localhost/a:1", "registry:5000/a/b__c:V1.0_x", "10.0.0.1:80/a:1"],
    ],
    ["by digest", [`nvcr.io/nvidia/tritonserver${DIGEST}`]],
    ["alike but for the tag", [HUB, `${HUB}-cu128`]],
    ["with tokens", [`${repository.repositoryUrl}:0.9.1`, text.stringValue, `${repository.repositoryUrl}:0.9.2`]],
    ["of a repository as long as the kubelet parses it", [`nvcr.io/${"a".repeat(255)}:1`]],
    ["with the first and the last port", ["registry:1/a:1", "registry:65535/a:1"]],
    ["of as many as there may be", Array.from({ length: 20 }, (_, index) => `nvcr.io/a:${index}`)],
  ])("may be %s", (_, images) => {
    expect(refusal(images)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    [
      "without a registry",
      "vllm/vllm-openai:v1",
      `must begin with the host of its registry, got: "vllm/vllm-openai:v1". Images of Docker Hub begin with docker.io/`,
    ],
    [
      "with a short name",
      "nginx:1.27",
      `must begin with the host of its registry, got: "nginx:1.27". Images of Docker Hub begin with docker.io/`,
    ],
    [
      "with half a name of Docker Hub",
      "docker.io/nginx:1.27",
      `must have the whole name of its repository, got: "docker.io/nginx:1.27". Official images of Docker Hub begin with docker.io/library/`,
    ],
    [
      "with the old name of Docker Hub",
      "index.docker.io/vllm/vllm-openai:v1",
      `must name Docker Hub by docker.io, since the kubelet looks for its images under that, got: "index.docker.io/vllm/vllm-openai:v1". Write docker.io/ in place of index.docker.io/, and docker.io/library/ for official images`,
    ],
    [
      "with the old name of Docker Hub, and half a name there",
      "index.docker.io/nginx:1.27",
      `must name Docker Hub by docker.io, since the kubelet looks for its images under that, got: "index.docker.io/nginx:1.27". Write docker.io/ in place of index.docker.io/, and docker.io/library/ for official images`,
    ],
    ...["0", "65536", "99999", "123456"].map((port): [string, unknown, string] => [
      `with the port ${port}`,
      `registry:${port}/a:1`,
      `must have a port from 1 to 65535 where it has one, got: "registry:${port}/a:1". Correct it, or leave it out for that of HTTPS`,
    ]),
    [
      "with a repository that is too long",
      `nvcr.io/team/${"a".repeat(251)}:1`,
      `must have a repository of at most 255 characters, got: "nvcr.io/team/${"a".repeat(251)}:1". Give the name by which the registry knows it`,
    ],
    [
      "without tag and digest",
      "nvcr.io/a/b",
      `must have a tag or a digest, got: "nvcr.io/a/b". Add that of the image which pods ask for`,
    ],
    [
      "with tag and digest",
      `nvcr.io/a:1${DIGEST}`,
      `must not have a tag beside its digest, since the kubelet looks for the image without it, got: "nvcr.io/a:1${DIGEST}". Remove the tag`,
    ],
    [
      "with the tag latest",
      "nvcr.io/a:latest",
      `must not have the tag latest, which means another image on a later node, got: "nvcr.io/a:latest". Give a version, or a digest`,
    ],
    ["with a scheme", "https://nvcr.io/a:1", `${FULL}, got: "https://nvcr.io/a:1". ${EXAMPLE}`],
    ["with capitals", "nvcr.io/Team/a:1", `${FULL}, got: "nvcr.io/Team/a:1". ${EXAMPLE}`],
    ["with half a digest", "nvcr.io/a@sha256:0123", `${FULL}, got: "nvcr.io/a@sha256:0123". ${EXAMPLE}`],
    [
      "with a tag that is too long",
      `nvcr.io/a:${"1".repeat(129)}`,
      `${FULL}, got: "nvcr.io/a:${"1".repeat(129)}". ${EXAMPLE}`,
    ],
    ["with signs of the shell", "nvcr.io/a:$(id)", `${FULL}, got: "nvcr.io/a:$(id)". ${EXAMPLE}`],
    ["that ends the list", "nvcr.io/a:1\nLIST", `${FULL}, got: "nvcr.io/a:1\\nLIST". ${EXAMPLE}`],
    ["that ends its line", "nvcr.io/a:1\n", `${FULL}, got: "nvcr.io/a:1\\n". ${EXAMPLE}`],
    ["that is empty", "", `${FULL}, got: "". ${EXAMPLE}`],
    ["that is missing", undefined, `${FULL}, got: undefined. ${EXAMPLE}`],
    ["that is a number", 1, `${FULL}, got: 1. ${EXAMPLE}`],
    ["that is an object", { image: HUB }, `${FULL}, got: {"image":"${HUB}"}. ${EXAMPLE}`],
    [
      "that ends its line beside a token",
      `${text.stringValue}\n`,
      `must be one reference, without white space, got: a token. ${EXAMPLE}`,
    ],
    [
      "that is a token of something else",
      count.numberValue,
      "must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()",
    ],
    [
      "with a number token",
      `nvcr.io/a:${count.numberValue}`,
      "must not have a number token within text, got: a token. Write Token.asString(number) in its place",
    ],
    [
      "with a list token",
      `nvcr.io/${Token.asList(many.value)[0]}:1`,
      "must not have a list token within text, got: a token. Join the list with Fn.join()",
    ],
  ])("must not have one %s", (_, image, message) => {
    expect(refusal([HUB, image])).toEqual([`images[1]: ${message}`]);
  });

  test("must be written out", () => {
    const rule = "must be a list that is written out; its members may be tokens";
    expect(refusal(HUB)).toEqual([`images: ${rule}, got: "${HUB}". List the members one by one`]);
    expect(refusal(Token.asList(many.value))).toEqual([`images: ${rule}, got: a token. List the members one by one`]);
  });

  test("must not be longer than twenty", () => {
    expect(refusal(Array.from({ length: 21 }, (_, index) => `nvcr.io/a:${index}`))).toEqual([
      "images: must name at most 20 images, got: 21. Name the largest, and leave the others to the kubelet",
    ]);
  });

  test("must not have an image twice, be it by a token", () => {
    const rule = "must be another image than those before it";
    const tagged = (): string => `${repository.repositoryUrl}:0.9.1`;
    expect(refusal([HUB, ECR, HUB, text.stringValue, text.stringValue, tagged(), tagged()])).toEqual([
      `images[2]: ${rule}, got: "${HUB}". Remove it`,
      `images[4]: ${rule}, got: a token. Remove it`,
      `images[6]: ${rule}, got: a token. Remove it`,
    ]);
  });

  test("is refused with all that is wrong with it", () => {
    // eslint-disable-next-line no-sparse-arrays
    expect(refusal(["nginx", , "nvcr.io/a"]).map((line) => line.split(":")[0])).toEqual([
      "images[0]",
      "images[1]",
      "images[2]",
    ]);
  });
});

describeShellcheck({
  "the script": readFileSync(SCRIPT, "utf8"),
  "the part of the user data": prepullPart([ECR, HUB]),
});
