import { TerraformStack, TerraformVariable } from "cdktf";
import { EndpointAccess, GpuCluster } from "cdktf-elastic-gpu";
import { ADMIN, clusterRefusal } from "../../support/cluster";
import { listToken, numberToken, Refusal, textToken } from "../../support/samples";
import { problemsOf } from "../../support/synth";

const version = (got: string) =>
  `kubernetesVersion: must be a minor version of Kubernetes that EKS offers, 1.31 to 1.35, as text, got: ${got}. Choose one of them`;
const publicFrom = (cidrs: any) => ({ endpointAccess: EndpointAccess.publicFrom(cidrs) });
const ranges = (got: string) =>
  `endpointAccess: must name 1 to 40 address ranges, written out, that reach the API server from the internet, got: ${got}. Name your networks' public ranges, or use EndpointAccess.privateOnly()`;
const minNodes = (got: string) =>
  `systemNodes.minNodes: must be a whole number of at least 1, got: ${got}. Controllers need a node that GPU nodes are not`;
const nodesOf = (...instanceTypes: any[]) => ({ systemNodes: { instanceTypes } });
const accelerated = (type: string) =>
  `systemNodes.instanceTypes: must be types without accelerators, since controllers would hold GPUs that nobody uses, got: "${type}". Leave it out for m7i.large, and make an ElasticGpuNodePool of ${type}`;

describe("clusters are refused with what to change", () => {
  describe("name and version", () => {
    test.each<Refusal>([
      [
        "a name with a dot",
        { clusterName: "gpu.training" },
        [
          'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "gpu.training". Give the name that `aws eks list-clusters` prints',
        ],
      ],
      [
        "a name as token",
        (stack: TerraformStack) => ({ clusterName: textToken(stack) }),
        [
          "clusterName: must be a literal text, because names of other resources are made from it, got: a token. Write it out",
        ],
      ],
      ["a version that EKS has no more", { kubernetesVersion: "1.30" }, [version('"1.30"')]],
      ["a version that EKS has not yet", { kubernetesVersion: "1.36" }, [version('"1.36"')]],
      ["a patch version", { kubernetesVersion: "1.34.2" }, [version('"1.34.2"')]],
      ["a version as number", { kubernetesVersion: 1.34 }, [version("1.34")]],
      [
        "a version as token",
        (stack: TerraformStack) => ({ kubernetesVersion: textToken(stack) }),
        [
          "kubernetesVersion: must be a literal text, because versions of images and add-ons follow from it, got: a token. Write it out",
        ],
      ],
      [
        "a property that there is not",
        { version: "1.34" },
        ["version: is not a property of this construct. Correct its name, or remove it"],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("access to the API server", () => {
    test.each<Refusal>([
      ["public from nowhere", publicFrom([]), [ranges("[]")]],
      ["public without saying from where", publicFrom(undefined), [ranges("undefined")]],
      ["from too many ranges", publicFrom(Array(41).fill("203.0.113.0/24")), [ranges("41")]],
      ["from a token", (stack: TerraformStack) => publicFrom(listToken(stack)), [ranges("a token")]],
      [
        "from the whole internet",
        publicFrom(["0.0.0.0/0"]),
        [
          'endpointAccess: must not open the API server to the whole internet, got: "0.0.0.0/0". Name your networks\' public ranges',
        ],
      ],
      [
        "from a private range",
        publicFrom(["203.0.113.0/24", "10.1.0.0/16"]),
        [
          'endpointAccess: must have public ranges, because private ones reach the private address, got: "10.1.0.0/16". Remove it',
        ],
      ],
      [
        "from an address",
        publicFrom(["203.0.113.7"]),
        [
          'endpointAccess: must have IPv4 ranges such as 203.0.113.0/24, got: "203.0.113.7". A single address ends with /32',
        ],
      ],
      [
        "neither public nor private",
        { endpointAccess: { public: false, private: false } },
        [
          'endpointAccess: must be made by EndpointAccess.privateOnly() or .publicFrom(); one without both could not be reached and is not offered, got: {"public":false,"private":false}. Call one of them',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("admins", () => {
    test.each<Refusal>([
      [
        "nobody",
        { admins: [] },
        [
          "admins: must name at least one role, because nobody could reach the cluster, got: []. Name the roles, or leave it out for whoever applies",
        ],
      ],
      [
        "a session",
        { admins: ["arn:aws:sts::123456789012:assumed-role/deployer/me"] },
        [
          'admins[0]: must be the ARN of a role, not of a session with it, got: "arn:aws:sts::123456789012:assumed-role/deployer/me". Give arn:aws:iam::<account>:role/<name>, with the role\'s path',
        ],
      ],
      [
        "a role by its name",
        { admins: [ADMIN, "people"] },
        ['admins[1]: must be the ARN of a role, got: "people". Give arn:aws:iam::<account>:role/<name>'],
      ],
      [
        "one twice",
        { admins: [ADMIN, ADMIN] },
        [`admins: must name each role once, got: "${ADMIN}". Remove the repetition`],
      ],
      [
        "one token twice",
        (stack: TerraformStack) => {
          const role = textToken(stack);
          return { admins: [role, role] };
        },
        ["admins: must name each role once, got: a token. Remove the repetition"],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("system nodes", () => {
    test.each<Refusal>([
      ["none", { systemNodes: { minNodes: 0 } }, [minNodes("0")]],
      ["half a node", { systemNodes: { minNodes: 1.5 } }, [minNodes("1.5")]],
      [
        "none at most",
        { systemNodes: { minNodes: 1, maxNodes: 0 } },
        ["systemNodes.maxNodes: must be a whole number of at least 1, got: 0. Leave it out for two more than minNodes"],
      ],
      [
        "fewer at most than at least",
        { systemNodes: { minNodes: 3, maxNodes: 2 } },
        [
          'systemNodes.maxNodes: must not be below minNodes, got: "minNodes 3, maxNodes 2". Raise maxNodes, or lower minNodes',
        ],
      ],
      [
        "a token at least, and nothing at most",
        (stack: TerraformStack) => ({ systemNodes: { minNodes: numberToken(stack) } }),
        ["systemNodes.maxNodes: must be given where minNodes is a token, got: undefined. Give both"],
      ],
      ["a GPU type", nodesOf("g6.12xlarge"), [accelerated("g6.12xlarge")]],
      ["a GPU type among others", nodesOf("m7i.large", "p5.48xlarge"), [accelerated("p5.48xlarge")]],
      ["a Neuron type", nodesOf("inf2.xlarge"), [accelerated("inf2.xlarge")]],
      ["a GPU type that is newer than the catalogue", nodesOf("p9.48xlarge"), [accelerated("p9.48xlarge")]],
      [
        "no type",
        nodesOf(),
        [
          "systemNodes.instanceTypes: must be literal names of instance types, at least one, got: []. Leave it out for m7i.large, or name one",
        ],
      ],
      [
        "a size without a family",
        nodesOf("large"),
        ['systemNodes.instanceTypes: must be names of instance types, got: "large". Such as m7i.large'],
      ],
      [
        "two architectures",
        nodesOf("m7i.large", "m7g.large"),
        [
          'systemNodes.instanceTypes: must all have one architecture, got: "m7i.large, m7g.large". Remove those of one of the two',
        ],
      ],
      [
        "a property that there is not",
        { systemNodes: { desiredNodes: 2 } },
        ["systemNodes.desiredNodes: is not a property of this construct. Correct its name, or remove it"],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("logs, add-ons and tags", () => {
    const days =
      "1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653";
    test.each<Refusal>([
      [
        "a log that there is not",
        { logging: { types: ["audits"] } },
        [
          'logging.types: must be members of ControlPlaneLog (api, audit, authenticator, controllerManager and scheduler), got: "audits". Choose among them',
        ],
      ],
      [
        "a log twice",
        { logging: { types: ["audit", "audit"] } },
        ['logging.types: must name each log once, got: "audit, audit". Remove the repetition'],
      ],
      [
        "a retention that there is not",
        { logging: { retentionDays: 100 } },
        [`logging.retentionDays: must be one of ${days}, got: 100. Choose one of them`],
      ],
      [
        "the latest version of an add-on",
        { addonVersions: { coreDns: "latest" } },
        [
          'addonVersions.coreDns: must be a version of the EKS add-on coredns such as v1.13.1-eksbuild.1, got: "latest". Take one that aws eks describe-addon-versions --addon-name coredns lists, or leave it out for EKS\'s default',
        ],
      ],
      [
        "an add-on that there is not",
        { addonVersions: { coredns: "v1.13.1-eksbuild.1" } },
        ["addonVersions.coredns: is not a property of this construct. Correct its name, or remove it"],
      ],
      [
        "a choice of addresses that there is not",
        { podAddressing: "prefix" },
        [
          'podAddressing: must be PodAddressing.SECONDARY_ADDRESSES or PodAddressing.PREFIXES, got: "prefix". Choose one of them',
        ],
      ],
      [
        "a protection that is neither there nor not",
        { deletionProtection: "yes" },
        ['deletionProtection: must be true or false, got: "yes". Leave it out for EKS\'s default'],
      ],
      [
        "a tag of Kubernetes",
        { tags: { "kubernetes.io/cluster/training": "owned" } },
        [
          'tags["kubernetes.io/cluster/training"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the cluster sets what is needed',
        ],
      ],
      [
        "tags that differ in case alone",
        { tags: { team: "a", Team: "b" } },
        ['tags: must not have keys that differ in case alone, which IAM refuses, got: "team, Team". Keep one of them'],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("what a program without types gives", () => {
    test.each([undefined, null, "prod"])("%p for props", (props: any) => {
      expect(problemsOf((stack) => new GpuCluster(stack, "cluster", props))).toBe(
        `test/cluster: props: must be an object with properties, got: ${JSON.stringify(props)}. Write { clusterName: … }`,
      );
    });

    test.each<Refusal>([
      [
        "days for logs",
        { logging: 30 },
        ["logging: must be an object with properties, got: 30. Write { types: … }, or leave it out"],
      ],
      [
        "a count for nodes",
        { systemNodes: 2 },
        ["systemNodes: must be an object with properties, got: 2. Write { instanceTypes: … }, or leave it out"],
      ],
      [
        "null for versions",
        { addonVersions: null },
        ["addonVersions: must be an object with properties, got: null. Write { vpcCni: … }, or leave it out"],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("tokens in a form that is not found in a text", () => {
    const TEXTS: [property: string, choices: (text: any) => object][] = [
      ["serviceCidr", (serviceCidr) => ({ serviceCidr })],
      ["admins[0]", (arn) => ({ admins: [arn, ADMIN] })],
      ["addonVersions.coreDns", (coreDns) => ({ addonVersions: { coreDns } })],
      ["registry", (registry) => ({ registry })],
      ['tags["team"]', (team) => ({ tags: { team } })],
    ];
    test.each(TEXTS)("%s", (property, choices) => {
      expect(clusterRefusal((stack: TerraformStack) => choices(`a-${numberToken(stack)}`))).toEqual([
        `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`,
      ]);
      expect(
        clusterRefusal((stack: TerraformStack) => choices(new TerraformVariable(stack, "any", { type: "any" }).value)),
      ).toEqual([
        `${property}: must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()`,
      ]);
    });
  });

  test("all that is wrong at once", () => {
    expect(
      clusterRefusal({ clusterName: "", kubernetesVersion: "1.0", admins: [], availabilityZones: [] }),
    ).toHaveLength(4);
  });
});
