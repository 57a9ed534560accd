import { TerraformStack } from "cdktf";
import {
  AcceleratorType,
  Capacity,
  ClusterNetwork,
  ClusterPlacement,
  GpuSharing,
  JoinMethod,
  NodeImage,
  NodeRepair,
  NodeRole,
  NodeTaint,
  UpdatePolicy,
  UserData,
  VolumeEncryption,
  Workload,
} from "cdktf-elastic-gpu";
import { shown } from "../../lib/accelerators/maker-options";
import { textToken } from "../support/samples";
import { problemsOf } from "../support/synth";

/** Makers as a program without types calls them. */
const makers: any = {
  AcceleratorType,
  Capacity,
  ClusterNetwork,
  ClusterPlacement,
  GpuSharing,
  NodeImage,
  NodeRepair,
  NodeRole,
  NodeTaint,
  UpdatePolicy,
  UserData,
  VolumeEncryption,
  Workload,
};

function call(maker: string, ...given: any[]): unknown {
  const [group, name] = maker.split(".") as [string, string];
  return makers[group][name](...given);
}

const missing = (maker: string, name: string, got: unknown = undefined): string =>
  `${maker}(): ${name} must be given, got: ${got}. Check where it comes from, such as an environment variable that is not set`;
const none = (maker: string, got: string, example: string): string =>
  `${maker}(): options must be an object, got: ${got}. Write { ${example} }`;
const unknown = (name: string, maker: string, known: string): string =>
  `${name} is not an option of ${maker}(), which takes ${known}. Correct its name, or remove it`;

describe("an argument that is missing is refused at once, and makes no other choice", () => {
  test.each([
    ["ClusterPlacement.existing", "groupName"],
    ["GpuSharing.mig", "profile"],
    ["NodeTaint.noExecute", "key"],
    ["NodeTaint.noSchedule", "key"],
    ["NodeTaint.preferNoSchedule", "key"],
    ["UpdatePolicy.maxUnavailable", "nodes"],
    ["UpdatePolicy.maxUnavailablePercentage", "percentage"],
    ["UserData.bottlerocketSettings", "settings"],
    ["UserData.nodeConfig", "spec"],
    ["UserData.shell", "script"],
    ["VolumeEncryption.customerKey", "keyArn"],
    ["Workload.named", "name"],
  ])("%s", (maker, argument) => {
    for (const value of [undefined, null]) {
      expect(() => call(maker, value)).toThrow(new Error(missing(maker, argument, value)));
    }
  });
});

describe("options that must be given", () => {
  test.each<[string, object, string[]]>([
    ["Capacity.reservation", { instanceCount: 2 }, ["reservationId"]],
    ["Capacity.reservationGroup", {}, ["resourceGroupArn"]],
    ["Capacity.capacityBlock", {}, ["reservationId"]],
    ["ClusterNetwork.existing", {}, ["vpcId", "subnets"]],
    ["GpuSharing.mps", {}, ["replicas"]],
    ["GpuSharing.timeSlicing", {}, ["replicas"]],
    ["NodeImage.custom", {}, ["imageId", "join"]],
    ["NodeRole.existing", { roleName: "node" }, ["roleArn"]],
    [
      "AcceleratorType.custom",
      {},
      [
        "instanceType",
        "architecture",
        "vcpus",
        "memoryMib",
        "vendor",
        "model",
        "acceleratorCount",
        "acceleratorMemoryMib",
        "enisOnCard0",
        "ipv4PerEni",
      ],
    ],
  ])("%s", (maker, options, names) => {
    const lines = names.map((name) => missing(maker, name)).join("\n");
    expect(() => call(maker, options)).toThrow(new Error(lines));
    const example = names.map((name) => `${name}: …`).join(", ");
    expect(() => call(maker)).toThrow(new Error(none(maker, "undefined", example)));
    expect(() => call(maker, "text")).toThrow(new Error(none(maker, '"text"', example)));
  });

  test("are refused where they come as undefined or null", () => {
    for (const value of [undefined, null]) {
      expect(() => call("Capacity.reservation", { reservationId: value })).toThrow(
        new Error(missing("Capacity.reservation", "reservationId", value)),
      );
    }
  });
});

describe("options that there are not", () => {
  test.each([
    ["Capacity.reservation", "id", "reservationId and instanceCount"],
    ["Capacity.reservationGroup", "arn", "resourceGroupArn and instanceCount"],
    ["Capacity.capacityBlock", "count", "reservationId, instanceCount and endsAt"],
    ["ClusterNetwork.existing", "id", "vpcId, subnets and controlPlaneSubnetIds"],
    ["ClusterNetwork.isolated", "natGateways", "cidr and interfaceEndpoints"],
    ["ClusterNetwork.own", "cird", "cidr, natGateways and interfaceEndpoints"],
    ["GpuSharing.mps", "replica", "replicas"],
    ["GpuSharing.timeSlicing", "replica", "replicas"],
    ["NodeImage.al2023Neuron", "version", "releaseVersion"],
    ["NodeImage.al2023Nvidia", "version", "releaseVersion"],
    ["NodeImage.al2023Standard", "version", "releaseVersion"],
    ["NodeImage.bottlerocketNvidia", "version", "releaseVersion"],
    ["NodeImage.custom", "minVolumeGib", "imageId, join, rootDeviceName and minimumVolumeGib"],
    ["NodeRepair.enabled", "maxNodes", "maxParallelNodes and maxUnhealthyNodes"],
    ["NodeRole.existing", "arn", "roleArn, roleName and access"],
    ["NodeRole.own", "policies", "managedPolicyArns"],
    ["UpdatePolicy.instanceRefresh", "percentage", "minHealthyPercentage"],
  ])("%s({ %s })", (maker, name, known) => {
    const first = refusalOf(() => call(maker, { [name]: 1 }))[0];
    expect(first).toBe(unknown(name, maker, known));
  });

  test("are all named at once, with what is missing", () => {
    expect(refusalOf(() => call("Capacity.capacityBlock", { id: "cr-1", count: 2 }))).toEqual([
      unknown("id", "Capacity.capacityBlock", "reservationId, instanceCount and endsAt"),
      unknown("count", "Capacity.capacityBlock", "reservationId, instanceCount and endsAt"),
      missing("Capacity.capacityBlock", "reservationId"),
    ]);
  });
});

describe("makers of which all options may be left out", () => {
  test.each([
    ["ClusterNetwork.isolated", "cidr: …, interfaceEndpoints: …"],
    ["ClusterNetwork.own", "cidr: …, natGateways: …, interfaceEndpoints: …"],
    ["NodeImage.al2023Nvidia", "releaseVersion: …"],
    ["NodeImage.bottlerocketNvidia", "releaseVersion: …"],
    ["NodeRepair.enabled", "maxParallelNodes: …, maxUnhealthyNodes: …"],
    ["NodeRole.own", "managedPolicyArns: …"],
    ["UpdatePolicy.instanceRefresh", "minHealthyPercentage: …"],
  ])("%s takes none, undefined ones, and nothing that is no object", (maker, example) => {
    const names = example.split(", ").map((each) => each.replace(": …", ""));
    expect(call(maker)).toEqual(call(maker, Object.fromEntries(names.map((name) => [name, undefined]))));
    for (const [value, got] of [
      [null, "null"],
      ["1.34", '"1.34"'],
      [["1.34", 1], '["1.34", 1]'],
      [new Map(), "an object (Map)"],
    ]) {
      expect(() => call(maker, value)).toThrow(new Error(none(maker, `${got}`, example)));
    }
    expect(() => call(maker, { [names[0]!]: null })).toThrow(
      new Error(`${maker}(): ${names[0]} must have a value where it is given, got: null. Leave it out`),
    );
  });
});

describe("options with a choice", () => {
  const imageId = "ami-0123456789abcdef0";
  const roleArn = "arn:aws:iam::111122223333:role/node";

  test.each(["bottlerocket", { name: "nodeadm" }])("a join method is not taken for nodeadm: %j", (join) => {
    expect(() => call("NodeImage.custom", { imageId, join })).toThrow(
      new Error(
        `NodeImage.custom(): join must be made by JoinMethod.nodeadm(), .bottlerocket() or .ownUserData(), got: ${typeof join === "string" ? `"${join}"` : "an object (Object)"}. Use one of them`,
      ),
    );
    expect(NodeImage.custom({ imageId, join: JoinMethod.nodeadm() })._join.name).toBe("nodeadm");
  });

  test("an access that there is not does not leave the entry out", () => {
    expect(() => call("NodeRole.existing", { roleArn, access: "none" })).toThrow(
      new Error(
        'NodeRole.existing(): access must be NodeAccess.CREATE_ACCESS_ENTRY or .HAS_ACCESS_ENTRY, got: "none". Use one of them',
      ),
    );
    expect(NodeRole.existing({ roleArn }).access).toBe("create");
  });
});

test("a taint without a value has an empty one, and null is none", () => {
  expect(NodeTaint.noSchedule("key").value).toBe("");
  expect(call("NodeTaint.noSchedule", "key", null)).toMatchObject({ value: null });
});

test.each([
  ["4", '"4"'],
  [4, "4"],
  [NaN, "NaN"],
  [undefined, "undefined"],
  [["a", [1]], '["a", [1]]'],
  [{ a: 1 }, "an object (Object)"],
  [new Date(0), "an object (Date)"],
])("%p is shown as %s", (value, text) => expect(shown(value)).toBe(text));

test("a token is shown as that", () => {
  expect(problemsOf((stack: TerraformStack) => call("NodeRole.existing", textToken(stack)))).toBe(
    none("NodeRole.existing", "a token", "roleArn: …"),
  );
});

function refusalOf(make: () => unknown): string[] {
  try {
    make();
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  throw new Error("expected a refusal");
}
