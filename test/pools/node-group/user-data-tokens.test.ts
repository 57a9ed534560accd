import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerraformStack, TerraformVariable, Token } from "cdktf";
import { GpuCluster, NodeGroupType, NodeImage, UserData } from "cdktf-elastic-gpu";
import { addPool, clusterAttributes, PoolChoices } from "../../support/pool";
import { describeWhere, findTerraform } from "../../support/rig";
import { allOf, decodeUserData, Json, synth } from "../../support/synth";
import { TerraformFolder } from "../../support/terraform";

/** What Terraform is given for the variables, and a twin of the program is given at once. */
const VALUES = {
  name: "prod",
  endpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
  authority: "LS0tLS1CRUdJTg==",
  range: "10.100.0.0/16",
  label: "team-a",
  text: "é \"quoted\" 'single' \\back\\n ${HOME} %{if x} $${a} %%{b} <tag> & more\nsecond line\t#{x}",
  amount: 58,
  fraction: 0.25,
  flag: true,
  list: ["one", 'two "2"', "${three}"],
  map: { "a/b": "1", "c d": "%{2}" },
};

interface Sources {
  readonly name: string;
  readonly endpoint: string;
  readonly authority: string;
  readonly range: string;
  readonly label: string;
  readonly text: string;
  readonly amount: number;
  readonly fraction: number;
  readonly flag: any;
  readonly list: string[];
  readonly map: { [key: string]: any };
}

function variables(stack: TerraformStack): Sources {
  const variable = (name: keyof typeof VALUES, type = "string") => new TerraformVariable(stack, name, { type });
  return {
    name: variable("name").stringValue,
    endpoint: variable("endpoint").stringValue,
    authority: variable("authority").stringValue,
    range: variable("range").stringValue,
    label: variable("label").stringValue,
    text: variable("text").stringValue,
    amount: variable("amount", "number").numberValue,
    fraction: variable("fraction", "number").numberValue,
    flag: variable("flag", "bool").value,
    list: variable("list", "list(string)").listValue,
    map: Token.asAnyMap(variable("map", "map(string)").value),
  };
}

/** A program whose users wrote all that a shell, JSON, TOML or Terraform could take for its own. */
function pools(stack: TerraformStack, from: Sources): void {
  const { text, amount, fraction, flag, list, map, label } = from;
  const cluster = GpuCluster.fromAttributes(stack, "cluster", {
    ...clusterAttributes,
    clusterName: from.name,
    endpoint: from.endpoint,
    certificateAuthority: from.authority,
    serviceCidr: from.range,
  });
  const common: PoolChoices = { cluster, labels: { "example.com/team": label, plain: "1" } };
  const script = [
    "#!/bin/bash",
    String.raw`echo "\n \\ 'single' %{if}" $` + "{HOME} $$" + "{x}",
    `echo "${text}${label}" >/etc/motd # é ${amount} and ${fraction}`,
    text,
  ].join("\n");
  const document = {
    kubelet: {
      config: { maxPods: amount, cpuCFSQuota: flag, evictionHard: map, allowedUnsafeSysctls: list, ratio: fraction },
      flags: [`--v=${amount}`, `--note="${text}" \\${text}`, `${text}${label}`],
    },
    containerd: { config: `[plugins]\nname = "${text}"\n` },
    extra: { [label]: 1, [`x-${label}`]: { deep: [text, amount] } },
  };
  addPool(
    stack,
    {
      ...common,
      nodeGroupType: NodeGroupType.SELF_MANAGED,
      userData: [UserData.shell(script), UserData.nodeConfig(document), UserData.shell("#!/bin/sh\n:")],
    },
    "al2023",
  );
  addPool(
    stack,
    {
      ...common,
      nodeGroupType: NodeGroupType.SELF_MANAGED,
      image: NodeImage.bottlerocketNvidia(),
      userData: [
        UserData.bottlerocketSettings({
          motd: text,
          kubernetes: { "max-pods": amount, "allowed-unsafe-sysctls": list, "node-ip": `${label}:${amount}` },
          "host-containers": { admin: { enabled: flag, "user-data": `{"note":"${text}"}` } },
        }),
      ],
    },
    "bottlerocket",
  );
}

const userDataOf = (json: Json): Record<string, string> => ({
  al2023: json.resource.aws_launch_template[templateId(json, "al2023")].user_data,
  bottlerocket: json.resource.aws_launch_template[templateId(json, "bottlerocket")].user_data,
});
const templateId = (json: Json, pool: string): string =>
  `${Object.keys(json.resource.aws_launch_template).find((id) => id.startsWith(`${pool}_`))}`;

const withTokens = synth((stack) => pools(stack, variables(stack))).json;
const twin = synth((stack) => pools(stack, VALUES)).json;

test("no marker of a token is left in what is encoded, nor beside it", () => {
  const expressions = allOf(withTokens, "aws_launch_template").map(({ user_data: expression }) => expression as string);
  const literals = expressions.flatMap((expression) =>
    [...expression.matchAll(/base64decode\("([^"]*)"\)/g)].map(([, literal]) =>
      Buffer.from(literal, "base64").toString(),
    ),
  );
  expect(literals.length).toBeGreaterThan(20);
  expect([...expressions, ...literals].filter((text) => /TfToken|e\+\d{3}/.test(text))).toEqual([]);
});

describeWhere("Terraform makes of tokens what a program makes that knows their values", findTerraform(), (env) => {
  let outputs: Json;

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "user-data-"));
    const output = Object.fromEntries(Object.entries(userDataOf(withTokens)).map(([id, value]) => [id, { value }]));
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ variable: withTokens.variable, output }));
    writeFileSync(join(folder, "terraform.tfvars.json"), JSON.stringify(VALUES));
    const terraform = new TerraformFolder(folder, env);
    terraform.init();
    terraform.apply();
    outputs = terraform.outputs();
  });

  test("in scripts, sign for sign", () => {
    const scripts = (base64: string): string[] =>
      decodeUserData(base64)
        .filter(({ contentType }) => contentType === "text/x-shellscript")
        .map(({ body }) => body);
    expect(scripts(outputs.al2023)).toEqual(scripts(userDataOf(twin).al2023));
    expect(scripts(outputs.al2023)[0]).toContain(`echo "${VALUES.text}team-a" >/etc/motd # é 58 and 0.25\n`);
  });

  test("in NodeConfigs, the pool's and the user's, with numbers, lists and maps for what they are", () => {
    const documents = (base64: string): Json[] =>
      decodeUserData(base64)
        .filter(({ contentType }) => contentType === "application/node.eks.aws")
        .map(({ body }) => JSON.parse(body));
    expect(documents(outputs.al2023)).toEqual(documents(userDataOf(twin).al2023));
    expect(documents(outputs.al2023)).toHaveLength(2);
  });

  test("in Bottlerocket's settings", async () => {
    const { parse: parseToml } = await import("smol-toml");
    const settings = (base64: string): Json => parseToml(Buffer.from(base64, "base64").toString("utf8"));
    expect(settings(outputs.bottlerocket)).toEqual(settings(userDataOf(twin).bottlerocket));
  });
});
