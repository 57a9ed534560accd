import { TerraformStack, TerraformVariable, Token } from "cdktf";
import { EfaLayout, LocalStorage, NodeImage, UserData } from "cdktf-elastic-gpu";
import { PoolChoices, refusalOf, synthPool } from "../../support/pool";
import { inPool, listToken, mapToken, numberToken, Refusal, textToken } from "../../support/samples";
import { theOne } from "../../support/synth";

const bottlerocket: PoolChoices = { image: NodeImage.bottlerocketNvidia() };
const withEfa: PoolChoices = {
  instanceTypes: ["p5.48xlarge"],
  availabilityZones: ["us-east-1a"],
  efa: EfaLayout.ipOptimised(),
};

/** Makers of the two kinds of document, and what it takes for a node to read them. */
const KINDS: [string, (document: any) => UserData, PoolChoices][] = [
  ["a NodeConfig", UserData.nodeConfig, {}],
  ["Bottlerocket's settings", UserData.bottlerocketSettings, bottlerocket],
];

describe("pools are refused with what to change", () => {
  describe("user data", () => {
    test.each<Refusal>([
      [
        "a script that Bottlerocket does not run",
        { image: NodeImage.bottlerocketNvidia(), userData: [UserData.shell("#!/bin/bash")] },
        [
          'userData[0]: must be a part that nodes of Bottlerocket NVIDIA read (bottlerocket-settings), got: "shell". Remove it, or choose another image',
        ],
      ],
      [
        "a script without an interpreter",
        { userData: [UserData.shell("echo hi")] },
        [
          'userData[0]: must begin with an interpreter line, without which cloud-init does not run it, got: "echo hi". Begin with #!/bin/bash',
        ],
      ],
      [
        "a cluster of the node's own",
        { userData: [UserData.nodeConfig({ cluster: { name: "other" } })] },
        ["userData[0]: must not hold cluster, which the pool takes from its cluster. Remove it"],
      ],
      [
        "labels past the pool",
        { userData: [UserData.nodeConfig({ kubelet: { flags: ["--node-labels=a=b"] } })] },
        [
          'userData[0]: must not set "--node-labels=a=b", since the autoscaler would not know of it. Use labels and taints of the pool',
        ],
      ],
      [
        "a whole NodeConfig",
        { userData: [UserData.nodeConfig({ apiVersion: "node.eks.aws/v1alpha1", spec: {} })] },
        [
          'userData[0]: must be the spec of a NodeConfig alone, got: ["apiVersion","spec"]. Pass what stands below spec',
        ],
      ],
      [
        "disks set up twice",
        {
          localStorage: LocalStorage.raid0(),
          userData: [UserData.nodeConfig({ instance: { localStorage: { strategy: "Mount" } } })],
        },
        ["userData[0]: must not hold instance.localStorage beside the pool's localStorage. Say it in one place"],
      ],
      [
        "more than EC2 takes",
        { userData: [UserData.shell("#!/bin/bash\n" + "#".repeat(17000))] },
        [
          'userData: must be at most 16384 bytes with what the pool adds, got: "17192 bytes". Move what is large into the image, or download it at boot',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });

  describe("what the pool decides, in documents of the user", () => {
    const forAutoscaler = "since the autoscaler would not know of it. Use labels and taints of the pool";
    const ofCluster = "which the pool takes from its cluster. Remove it";
    const ofEfa = "which the pool sets to 51, the pods that EFA devices leave addresses for. Remove it";
    const config = (kubelet: object): UserData[] => [UserData.nodeConfig({ kubelet })];
    const kubernetes = (settings: object): UserData[] => [UserData.bottlerocketSettings({ kubernetes: settings })];

    test.each<Refusal>([
      [
        "taints past the pool",
        { userData: config({ config: { registerWithTaints: [{ key: "a", effect: "NoSchedule" }] } }) },
        [`userData[0]: must not hold kubelet.config.registerWithTaints, ${forAutoscaler}`],
      ],
      [
        "flags in one text",
        { userData: config({ flags: "--node-labels=a=b" }) },
        ['userData[0].kubelet.flags: must be a list, got: "--node-labels=a=b". Such as ["--v=2"]'],
      ],
      [
        "other pods than EFA leaves room for",
        { ...withEfa, userData: config({ config: { maxPods: 250 }, flags: ["--max-pods=250"] }) },
        [
          `userData[0]: must not set --max-pods=250, ${ofEfa}`,
          `userData[0]: must not set kubelet.config.maxPods, ${ofEfa}`,
        ],
      ],
      [
        "labels, taints and the cluster of Bottlerocket",
        {
          ...bottlerocket,
          userData: kubernetes({
            "cluster-name": "other",
            "api-server": "https://example.com",
            "cluster-certificate": "LS0t",
            "node-labels": { a: "b" },
            "node-taints": { a: ["b:NoSchedule"] },
          }),
        },
        [
          `userData[0]: must not hold kubernetes.cluster-name, ${ofCluster}`,
          `userData[0]: must not hold kubernetes.api-server, ${ofCluster}`,
          `userData[0]: must not hold kubernetes.cluster-certificate, ${ofCluster}`,
          `userData[0]: must not hold kubernetes.node-labels, ${forAutoscaler}`,
          `userData[0]: must not hold kubernetes.node-taints, ${forAutoscaler}`,
        ],
      ],
      [
        "other pods than EFA leaves room for on Bottlerocket",
        { ...withEfa, ...bottlerocket, userData: kubernetes({ "max-pods": 250 }) },
        [`userData[0]: must not set kubernetes.max-pods, ${ofEfa}`],
      ],
      [
        "settings with their leading key",
        { ...bottlerocket, userData: [UserData.bottlerocketSettings({ settings: { motd: "hello" } })] },
        [
          'userData[0]: must be the settings without the leading settings, got: ["settings"]. Pass what stands below it',
        ],
      ],
      [
        "a text in the place of a table",
        { ...bottlerocket, userData: [UserData.bottlerocketSettings({ kubernetes: "max-pods=3" })] },
        ['userData[0].kubernetes: must be a table that is written out, got: "max-pods=3". Write its keys out'],
      ],
      [
        "a token in the place of a table that the pool has a part in",
        (stack: TerraformStack) => ({
          ...bottlerocket,
          userData: [UserData.bottlerocketSettings({ kubernetes: new TerraformVariable(stack, "settings", {}).value })],
        }),
        ["userData[0].kubernetes: must be a table that is written out, got: a token. Write its keys out"],
      ],
      [
        "a table as token, which Terraform would write as JSON",
        (stack: TerraformStack) => ({
          ...bottlerocket,
          userData: kubernetes({ "eviction-hard": mapToken(stack) }),
        }),
        [
          "userData[0].kubernetes.eviction-hard: must be a table that is written out, since Terraform has no TOML, got: a token. Write its keys out; the values may be tokens",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));

    test("but pods of nodes without EFA are the user's to limit", () => {
      synthPool({ ...bottlerocket, userData: kubernetes({ "max-pods": 58 }) });
      synthPool({ userData: config({ config: { maxPods: 58 }, flags: ["--max-pods=58"] }) });
    });
  });

  describe.each(KINDS)("values that %s cannot hold", (_, make, choices) => {
    const refused = (document: any): string[] => refusalOf({ ...choices, userData: [make(document)] });
    const written = "must be an object that is written out; scalars and lists in it may be tokens";

    test.each<[string, any]>([
      ["null", null],
      ["undefined", undefined],
      ["NaN", NaN],
      ["Infinity", Infinity],
      ["Map", new Map([["a", 1]])],
      ["Date", new Date(0)],
      ["1", 1n],
    ])("%s, wherever it stands", (got, value) => {
      const line = (path: string): string =>
        `userData[0]${path}: must be a text, a finite number, true, false, a list or an object, got: ${got}. Give one, or leave the key out`;
      const document = { fine: 1, a: value, "b-c": { "d.e": [true, { f: value }] } };
      expect(refused(document)).toEqual(inPool([line(".a"), line('.b-c["d.e"][1].f')]));
    });

    test("functions", () => {
      expect(refused({ a: () => 1 })[0]).toMatch(
        /^test\/pool: userData\[0\]\.a: must be a text, a finite number, true, false, a list or an object, got: .*1\./,
      );
    });

    test("itself", () => {
      const document: any = { a: {} };
      document.a.b = [document];
      expect(refused(document)).toEqual(
        inPool([
          "userData[0].a.b[0]: must be a text, a finite number, true, false, a list or an object, got: an object that holds itself. Give one, or leave the key out",
        ]),
      );
    });

    test.each<[string, any]>([
      ["a text", "a: 1"],
      ["a list", [{ a: 1 }]],
    ])("%s in the place of the whole", (__, document) => {
      expect(refused(document)).toEqual(
        inPool([`userData[0]: ${written}, got: ${JSON.stringify(document)}. Write its keys out`]),
      );
    });

    test.each<[string, (stack: TerraformStack) => unknown]>([
      ["an expression", (stack) => new TerraformVariable(stack, "document", {}).value],
      ["a map", (stack) => Token.asAnyMap(new TerraformVariable(stack, "document", {}).value)],
      ["a text", (stack) => textToken(stack)],
    ])("a token in the place of the whole: %s", (__, document) => {
      expect(refusalOf((stack: TerraformStack) => ({ ...choices, userData: [make(document(stack))] }))).toEqual(
        inPool([`userData[0]: ${written}, got: a token. Write its keys out`]),
      );
    });

    test("but tokens of scalars and lists in it", () => {
      const { json } = synthPool((stack) => ({
        ...choices,
        userData: [
          make({
            a: { text: textToken(stack), number: numberToken(stack), list: listToken(stack) },
            b: new TerraformVariable(stack, "flag", { type: "bool" }).value,
          }),
        ],
      }));
      expect(theOne(json, "aws_launch_template").user_data).toContain("jsonencode(var.flag)");
    });
  });
});
