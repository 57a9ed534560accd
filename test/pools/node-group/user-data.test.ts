import { Fn, TerraformVariable } from "cdktf";
import {
  EfaLayout,
  GpuSharing,
  JoinMethod,
  LocalStorage,
  NodeGroupType,
  NodeImage,
  NodeTaint,
  UserData,
} from "cdktf-elastic-gpu";
import { spawnSync } from "node:child_process";
import { parse as parseYaml } from "yaml";
import { clusterAttributes, PoolChoices, refusalOf, synthPool } from "../../support/pool";
import { describeWhere, Missing } from "../../support/rig";
import { decodeUserData, Json, theOne, UserDataPart } from "../../support/synth";

// The package is an ES module to the compiler.
let parseToml: (text: string) => Json;
beforeAll(async () => {
  parseToml = (await import("smol-toml")).parse;
});

const NODE_CONFIG = "application/node.eks.aws";
const SHELL = "text/x-shellscript";
const selfManaged: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED };
const bottlerocket: PoolChoices = { image: NodeImage.bottlerocketNvidia() };
const ownImage = (join: JoinMethod): PoolChoices => ({
  image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join }),
});

const encoded = (choices: PoolChoices): string | undefined =>
  theOne(synthPool(choices).json, "aws_launch_template").user_data;
const textOf = (choices: PoolChoices): string => Buffer.from(`${encoded(choices)}`, "base64").toString("utf8");
const partsOf = (choices: PoolChoices): UserDataPart[] => decodeUserData(`${encoded(choices)}`);
const typesOf = (choices: PoolChoices): string[] => partsOf(choices).map(({ contentType }) => contentType);
const settingsOf = (choices: PoolChoices): Json => parseToml(textOf({ ...bottlerocket, ...choices })).settings;

/** The `spec` of each NodeConfig, in order. */
function specsOf(choices: PoolChoices): Json[] {
  return partsOf(choices)
    .filter(({ contentType }) => contentType === NODE_CONFIG)
    .map(({ body }) => {
      const { apiVersion, kind, spec } = parseYaml(body);
      expect({ apiVersion, kind }).toEqual({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig" });
      return spec;
    });
}

const hello = UserData.shell("#!/bin/bash\necho hello\n");
const logs = UserData.nodeConfig({ kubelet: { config: { containerLogMaxSize: "50Mi" } } });

describe("parts", () => {
  test("are none where EKS tells the nodes everything", () => {
    expect(encoded({})).toBeUndefined();
  });

  test("are written as MIME, one after the other", () => {
    expect(textOf({ userData: [hello, logs] })).toBe(`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="==node-user-data=="

--==node-user-data==
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo hello

--==node-user-data==
Content-Type: application/node.eks.aws

{
  "apiVersion": "node.eks.aws/v1alpha1",
  "kind": "NodeConfig",
  "spec": {
    "kubelet": {
      "config": {
        "containerLogMaxSize": "50Mi"
      }
    }
  }
}

--==node-user-data==--
`);
  });

  test("are base64 where a script is more than ASCII, in lines, so that cloud-init hands it on as it is", () => {
    const script = `#!/bin/bash\necho höh — 東 ${"x".repeat(60)}\n`;
    const lines = `${Buffer.from(script).toString("base64").replace(/.{76}/g, "$&\n")}\n`;
    expect(textOf({ userData: [UserData.shell(script)] })).toBe(`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="==node-user-data=="

--==node-user-data==
Content-Type: text/x-shellscript; charset="utf-8"
Content-Transfer-Encoding: base64

${lines}
--==node-user-data==--
`);
    expect(lines.split("\n").map((line) => line.length)).toEqual([76, 48, 0]);
  });

  test("of the user keep their order, after the pool's own NodeConfig", () => {
    const world = UserData.shell("#!/bin/sh\necho world");
    const parts = partsOf({ ...selfManaged, userData: [world, logs, hello] });
    expect(parts.map(({ contentType }) => contentType)).toEqual([NODE_CONFIG, SHELL, NODE_CONFIG, SHELL]);
    expect([parts[1].body, parts[3].body]).toEqual(["#!/bin/sh\necho world\n", "#!/bin/bash\necho hello\n"]);
  });

  test("that partition GPUs come before those of the user, which may then use the partitions", () => {
    const parts = partsOf({
      instanceTypes: ["p5.48xlarge"],
      sharing: GpuSharing.mig("1g.10gb"),
      localStorage: LocalStorage.raid0(),
      userData: [hello],
    });
    expect(parts.map(({ contentType }) => contentType)).toEqual([NODE_CONFIG, SHELL, SHELL]);
    expect(parts[1].body).toContain("ExecStartPre=/usr/local/sbin/partition-mig 1g.10gb 7\n");
    expect(parts[2].body).toBe("#!/bin/bash\necho hello\n");
  });

  test("of the user alone are given to an image that joins by itself", () => {
    const image = ownImage(JoinMethod.ownUserData());
    expect(encoded({ ...image, ...selfManaged })).toBeUndefined();
    expect(typesOf({ ...image, ...selfManaged, userData: [hello] })).toEqual([SHELL]);
  });
});

describe("the NodeConfig", () => {
  const full = {
    cluster: {
      name: "prod",
      apiServerEndpoint: clusterAttributes.endpoint,
      certificateAuthority: clusterAttributes.certificateAuthority,
      cidr: "10.100.0.0/16",
    },
    kubelet: {
      flags: [
        expect.stringMatching(/^--node-labels=(?=.*\bteam=ml\b).*k8s\.amazonaws\.com\/accelerator=/),
        "--register-with-taints=example.com/batch=:NoExecute,nvidia.com/gpu=present:NoSchedule",
      ],
    },
  };
  const choices: PoolChoices = { labels: { team: "ml" }, taints: [NodeTaint.noExecute("example.com/batch")] };

  test.each<[string, PoolChoices]>([
    ["of a self-managed group", { ...choices, ...selfManaged }],
    ["of an image of one's own", { ...choices, ...ownImage(JoinMethod.nodeadm()) }],
  ])("%s says how to join, with labels and taints", (_, complete) => {
    expect(specsOf(complete)).toEqual([full]);
  });

  test("of a managed group says nothing that EKS says", () => {
    expect(specsOf({ ...choices, instanceTypes: ["g6.12xlarge"], localStorage: LocalStorage.raid0() })).toEqual([
      { instance: { localStorage: { strategy: "RAID0" } } },
    ]);
  });

  test.each([
    ["RAID0", LocalStorage.raid0()],
    ["RAID10", LocalStorage.raid10()],
    ["Mount", LocalStorage.mount()],
  ])("asks for %s of the instance store", (strategy, localStorage) => {
    expect(specsOf({ localStorage })).toEqual([{ instance: { localStorage: { strategy } } }]);
  });

  test("lowers the pods of a node whose EFA devices take addresses from them", () => {
    const [spec] = specsOf({
      instanceTypes: ["p5.48xlarge"],
      availabilityZones: ["us-east-1a"],
      efa: EfaLayout.ipOptimised(),
    });
    expect(spec).toEqual({ kubelet: { config: { maxPods: expect.any(Number) } } });
  });

  test("holds long labels on one line, however long", () => {
    const value = "x".repeat(63);
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`example.com/${index}`, value]));
    const [spec] = specsOf({ ...selfManaged, labels });
    expect(spec.kubelet.flags[0]).toContain(`example.com/19=${value}`);
  });
});

describe("Bottlerocket's settings", () => {
  test("are none where EKS tells the nodes everything", () => {
    expect(encoded(bottlerocket)).toBeUndefined();
  });

  test("say how to join a self-managed group, with labels and with taints by their keys", () => {
    const taints = [NodeTaint.noSchedule("example.com/a", "1"), NodeTaint.noExecute("example.com/b")];
    const { kubernetes } = settingsOf({ ...selfManaged, labels: { team: "ml" }, taints });
    expect(kubernetes).toEqual({
      "cluster-name": "prod",
      "api-server": clusterAttributes.endpoint,
      "cluster-certificate": clusterAttributes.certificateAuthority,
      "node-labels": expect.objectContaining({ team: "ml", "nvidia.com/gpu.present": "true" }),
      "node-taints": {
        "nvidia.com/gpu": ["present:NoSchedule"],
        "example.com/a": ["1:NoSchedule"],
        "example.com/b": [":NoExecute"],
      },
    });
  });

  test.each<[string, PoolChoices, Json]>([
    [
      "time-slicing",
      { sharing: GpuSharing.timeSlicing({ replicas: 4 }) },
      {
        "device-sharing-strategy": "time-slicing",
        "time-slicing": { replicas: 4, "rename-by-default": false, "fail-requests-greater-than-one": true },
      },
    ],
    ["MPS", { sharing: GpuSharing.mps({ replicas: 4 }) }, { "device-sharing-strategy": "mps", mps: { replicas: 4 } }],
    [
      "MIG",
      { sharing: GpuSharing.mig("1g.10gb"), instanceTypes: ["p5.48xlarge"] },
      { "device-partitioning-strategy": "mig", mig: { profile: { "h100.80gb": "1g.10gb" } } },
    ],
  ])("share GPUs by %s, which no script does there", (_, choices, nvidia) => {
    expect(settingsOf(choices)).toEqual({ "kubelet-device-plugins": { nvidia } });
  });

  test("put containers on the instance store at every boot", () => {
    const { "bootstrap-commands": commands } = settingsOf({ localStorage: LocalStorage.raid0() });
    expect(commands).toEqual({
      "ephemeral-storage": {
        commands: [
          ["apiclient", "ephemeral-storage", "init"],
          expect.arrayContaining(["bind", "/var/lib/containerd", "/var/lib/kubelet"]),
        ],
        essential: true,
        mode: "always",
      },
    });
  });

  test("are merged into one document, the later over the earlier, tables by their keys and lists as a whole", () => {
    const added = [
      { kubernetes: { "max-pods": 58, "allowed-unsafe-sysctls": ["net.core.somaxconn"] }, motd: "first" },
      { kubernetes: { "allowed-unsafe-sysctls": ["kernel.msg*"] }, motd: 'second "of two" \\ é' },
    ];
    const { motd, kubernetes } = settingsOf({ ...selfManaged, userData: added.map(UserData.bottlerocketSettings) });
    expect(motd).toBe('second "of two" \\ é');
    expect(kubernetes).toMatchObject({
      "cluster-name": "prod",
      "max-pods": 58,
      "allowed-unsafe-sysctls": ["kernel.msg*"],
    });
  });

  test("of the user stand over the pool's", () => {
    const own = UserData.bottlerocketSettings({ "kubelet-device-plugins": { nvidia: { mps: { replicas: 8 } } } });
    expect(settingsOf({ sharing: GpuSharing.mps({ replicas: 4 }), userData: [own] })).toEqual({
      "kubelet-device-plugins": { nvidia: { "device-sharing-strategy": "mps", mps: { replicas: 8 } } },
    });
  });
});

test.each<[string, PoolChoices]>([
  ["a self-managed group", selfManaged],
  ["an image of one's own", ownImage(JoinMethod.nodeadm())],
  ["a self-managed group of Bottlerocket", { ...bottlerocket, ...selfManaged }],
])("the order in which labels and taints are given changes nothing for %s", (_, choices) => {
  const labels = { "example.com/b": "1", "example.com/a": "2", team: "ml" };
  const taints = [
    NodeTaint.noExecute("example.com/b"),
    NodeTaint.noSchedule("example.com/a"),
    NodeTaint.noExecute("c"),
  ];
  const reversed = Object.fromEntries(Object.entries(labels).reverse());
  expect(encoded({ ...choices, labels: reversed, taints: [...taints].reverse() })).toBe(
    encoded({ ...choices, labels, taints }),
  );
});

const python = spawnSync("python3", ["--version"]).status === 0 ? "python3" : new Missing("no python3 on PATH");

describeWhere("cloud-init, which reads the parts with Python's email package,", python, (program) => {
  /** The scripts as bytes, by the calls that cloud-init makes. */
  const READER = `
import email, json, sys
parts = email.message_from_string(sys.stdin.buffer.read().decode("utf-8")).walk()
scripts = [part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/x-shellscript"]
print(json.dumps([list(script) for script in scripts]))`;

  test.each([
    "#!/bin/sh\necho hello\n",
    "#!/bin/sh\necho höh — 東 🚀\n",
    `#!/bin/sh\n${"# grüße an die Knoten\n".repeat(40)}`,
  ])("gets %j as it was written", (script) => {
    const { stdout } = spawnSync(program, ["-c", READER], {
      input: textOf({ ...selfManaged, userData: [hello, UserData.shell(script)] }),
      encoding: "utf8",
    });
    const scripts = (JSON.parse(stdout) as number[][]).map((bytes) => Buffer.from(bytes).toString("utf8"));
    expect(scripts).toEqual(["#!/bin/bash\necho hello\n", script]);
  });
});

describe("the size", () => {
  const withScript = (script: string): PoolChoices => ({ ...selfManaged, userData: [UserData.shell(script)] });
  const line = (bytes: number): string =>
    `test/pool: userData: must be at most 16384 bytes with what the pool adds, got: "${bytes} bytes". Move what is large into the image, or download it at boot`;

  test("may be 16,384 bytes, and not one more", () => {
    const least = textOf(withScript("#!/bin/sh\n")).length;
    const sized = (bytes: number): PoolChoices => withScript(`#!/bin/sh${"x".repeat(bytes - least)}\n`);
    expect(textOf(sized(16384)).length).toBe(16384);
    expect(refusalOf(sized(16385))).toEqual([line(16385)]);
  });

  test("is what base64 makes of a script that is more than ASCII", () => {
    const script = (length: number): PoolChoices => ({
      userData: [UserData.shell(`#!/bin/sh\n#é${"x".repeat(length)}\n`)],
    });
    const most = 11956;
    expect(textOf(script(most)).length).toBe(16380);
    expect(refusalOf(script(most + 1))).toEqual([line(16385)]);
  });

  test("counts what is written out beside tokens, in base64", () => {
    const withToken = (length: number) => (stack: any) => {
      const { stringValue } = new TerraformVariable(stack, "text", { type: "string" });
      return { userData: [UserData.shell(`#!/bin/sh\n${stringValue}${"x".repeat(length)}`)] };
    };
    expect(theOne(synthPool(withToken(11000)).json, "aws_launch_template").user_data).toContain("base64encode");
    expect(refusalOf(withToken(12300))).toEqual([line(16842)]);
  });
});

describe("a list token within a text is refused, since CDKTF has no form for it", () => {
  const line = (index: number): string =>
    `test/pool: userData[${index}]: must not have a list token within a text, got: a token. Join the list with Fn.join(), or pass it as a value of its own`;
  const list = (stack: any): string[] => new TerraformVariable(stack, "list", { type: "list(string)" }).listValue;

  test("of a script", () => {
    expect(
      refusalOf((stack: any) => ({ userData: [hello, UserData.shell(`#!/bin/sh\necho ${list(stack)}`)] })),
    ).toEqual([line(1)]);
  });

  test("of a document", () => {
    const document = (stack: any) => ({ kubelet: { flags: [`--allowed-unsafe-sysctls=${list(stack)}`] } });
    expect(refusalOf((stack: any) => ({ userData: [UserData.nodeConfig(document(stack))] }))).toEqual([line(0)]);
  });

  test("but not where it is joined", () => {
    const { json } = synthPool((stack) => ({
      userData: [UserData.shell(`#!/bin/sh\necho ${Fn.join(",", list(stack))}`)],
    }));
    expect(theOne(json, "aws_launch_template").user_data).toContain('join(",", var.list)');
  });
});
