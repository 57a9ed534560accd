import { AcceleratorType, EfaLayout, JoinMethod, NodeGroupType, NodeImage } from "cdktf-elastic-gpu";
import { autoscalingTags, PoolChoices, synthPool, templateTags } from "../support/pool";
import { allOf, Json, theOne } from "../support/synth";

const complete = AcceleratorType.all().filter((type) => type._incomplete === undefined);
/** GPUs that EKS's own image does not drive yet start from an image of the user's. */
const image = NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.nodeadm() });
const drivenByEks = (type: AcceleratorType) => type.model !== "RTX PRO 4500";

/** Kinds of group and layouts of interfaces: both kinds for each type, and each layout with one kind. */
function waysOf(type: AcceleratorType): PoolChoices[] {
  const ways: [NodeGroupType, EfaLayout][] =
    type.efaCards.length > 0
      ? [
          [NodeGroupType.MANAGED, EfaLayout.none()],
          [NodeGroupType.MANAGED, EfaLayout.ipOptimised()],
          [NodeGroupType.SELF_MANAGED, EfaLayout.bandwidthOptimised()],
        ]
      : [
          [NodeGroupType.MANAGED, EfaLayout.none()],
          [NodeGroupType.SELF_MANAGED, EfaLayout.none()],
        ];
  return ways.map(([nodeGroupType, efa]) => ({
    efa,
    nodeGroupType,
    instanceTypes: [type.instanceType],
    availabilityZones: ["us-east-1a"],
    image: drivenByEks(type) ? undefined : image,
  }));
}

const isEfa = (device: Json) => device.interface_type === "efa-only";

/** The autoscaler's tags agree with the hardware. */
function expectHardware(type: AcceleratorType, withEfa: boolean, tags: Record<string, string>): void {
  expect(tags).toMatchObject({
    [`resources/${type.resourceName}`]: String(type.acceleratorCount),
    [`taint/${type.resourceName}`]: "present:NoSchedule",
    "label/topology.kubernetes.io/zone": "us-east-1a",
  });
  expect(tags["resources/vpc.amazonaws.com/efa"]).toBe(withEfa ? String(type.efaCards.length) : undefined);
  expect(tags["resources/hugepages-2Mi"]).toBe(withEfa ? "10256Mi" : undefined);
  expect(tags["resources/aws.amazon.com/neuroncore"]).toBe(
    type.neuronCoreCount > 0 ? String(type.neuronCoreCount) : undefined,
  );
  expect(tags["label/k8s.amazonaws.com/accelerator"]).toBe(type.acceleratorLabel);
}

/** The interfaces are ones that EC2 launches. */
function expectInterfaces(type: AcceleratorType, withEfa: boolean, template: Json): void {
  const devices: Json[] = template.network_interfaces ?? [];
  const places = devices.map((device) => `${device.network_card_index}/${device.device_index}`);
  expect(new Set(places).size).toBe(places.length);
  expect(devices.filter((device) => device.network_card_index >= type.networkCards)).toEqual([]);
  expect(devices.filter(isEfa).map((device) => device.network_card_index)).toEqual(withEfa ? type.efaCards : []);
  expect(devices.filter((device) => device.associate_public_ip_address === "true")).toEqual([]);
  expect(devices.filter((device) => isEfa(device) && "associate_public_ip_address" in device)).toEqual([]);
  const primary = devices.filter((device) => device.network_card_index === 0 && device.device_index === 0);
  expect(primary.map((device) => device.interface_type)).toEqual(withEfa ? ["interface"] : []);
  expect("vpc_security_group_ids" in template).toBe(!withEfa);
}

/** Labels of nodes and of the template agree, and tags are within the limits. */
function expectTags(json: Json, tags: Record<string, string>): void {
  const all = Object.entries(autoscalingTags(json));
  expect(all.length).toBeLessThanOrEqual(45);
  expect(all.filter(([key, value]) => key.length > 128 || value.length > 256)).toEqual([]);
  for (const { labels } of allOf(json, "aws_eks_node_group")) {
    const prefixed = Object.entries(labels).map(([key, value]) => [`label/${key}`, value]);
    expect(tags).toMatchObject(Object.fromEntries(prefixed));
  }
}

test.each(complete.map((type): [string, AcceleratorType] => [type.instanceType, type]))(
  "%s makes pools of either kind, with and without EFA, that EC2 launches and the autoscaler knows",
  (_, type) => {
    for (const choices of waysOf(type)) {
      const { json } = synthPool(choices);
      const [withEfa, tags] = [choices.efa?.name !== "none", templateTags(json)];
      expectHardware(type, withEfa, tags);
      expectInterfaces(type, withEfa, theOne(json, "aws_launch_template"));
      expectTags(json, tags);
    }
  },
);

test("a type of the catalogue of which too little is known is the only kind that is refused", () => {
  expect(AcceleratorType.all().length - complete.length).toBe(1);
});
