import { TerraformStack } from "cdktf";
import { Capacity, ClusterPlacement, NodeGroupType } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal, customType, textToken } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("Spot and placement", () => {
    test.each<Refusal>([
      [
        "a type never sold as Spot",
        {
          instanceTypes: ["p7.48xlarge"],
          customTypes: [customType("p7.48xlarge", { supportsSpot: false })],
          capacity: Capacity.spot(),
        },
        [
          'capacity: must not be Capacity.spot() for types that are never sold as Spot, got: "p7.48xlarge". Remove them, or use Capacity.onDemand()',
        ],
      ],
      [
        "Spot in a placement group",
        { capacity: Capacity.spot(), placement: ClusterPlacement.own(), availabilityZones: ["us-east-1a"] },
        [
          "placement: must be left out with Capacity.spot(): requests for one placement group land in several zones and are refused, and one reclaim stops the whole job. Use Capacity.onDemand() or a reservation",
        ],
      ],
      [
        "a placement group in two zones",
        { placement: ClusterPlacement.own() },
        [
          'placement: must be used in one Availability Zone, in which a cluster placement group lies, got: "us-east-1a, us-east-1b". Choose one with availabilityZones',
        ],
      ],
      [
        "a type that no placement group takes",
        { instanceTypes: ["vt1.3xlarge"], placement: ClusterPlacement.own(), availabilityZones: ["us-east-1a"] },
        [
          'placement: must be left out for types that a cluster placement group does not take, got: "vt1.3xlarge". Remove it',
        ],
      ],
      [
        "a placement group without a name",
        { placement: ClusterPlacement.existing(""), availabilityZones: ["us-east-1a"] },
        [
          'placement: must name a placement group by 1 to 255 ASCII characters, without blanks at its start and end, got: "". Correct the name',
        ],
      ],
      ...["Ödland", " training", "training ", "tab\t"].map((name): Refusal => [
        `a placement group of the name ${JSON.stringify(name)}`,
        { placement: ClusterPlacement.existing(name), availabilityZones: ["us-east-1a"] },
        [
          `placement: must name a placement group by 1 to 255 ASCII characters, without blanks at its start and end, got: ${JSON.stringify(name)}. Correct the name`,
        ],
      ]),
      ...["pg-0123456789abcdef0", "pg-01234567", "arn:aws:ec2:us-east-1:123456789012:placement-group/training"].map(
        (name): Refusal => [
          `the placement group ${name}`,
          { placement: ClusterPlacement.existing(name), availabilityZones: ["us-east-1a"] },
          [
            `placement: must have the name of the placement group, not its ID or ARN, got: "${name}". Give the GroupName that aws ec2 describe-placement-groups shows`,
          ],
        ],
      ),
      [
        "a placement group with too long a name",
        { placement: ClusterPlacement.existing("g".repeat(256)), availabilityZones: ["us-east-1a"] },
        [
          'placement: must name a placement group by 1 to 255 ASCII characters, without blanks at its start and end, got: "256 characters". Correct the name',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("reservations", () => {
    test.each<Refusal>([
      [
        "another ID",
        { capacity: Capacity.reservation({ reservationId: "r-123" }), availabilityZones: ["us-east-1a"] },
        [
          'capacity.reservationId: must be the ID of a capacity reservation (cr-…), got: "r-123". Give the ID that EC2 shows for the reservation or block',
        ],
      ],
      [
        "a group by name",
        { capacity: Capacity.reservationGroup({ resourceGroupArn: "gpus" }) },
        [
          'capacity.resourceGroupArn: must be the ARN of a resource group, got: "gpus". Give arn:aws:resource-groups:<region>:<account>:group/<name>',
        ],
      ],
      [
        "a group of another region",
        {
          capacity: Capacity.reservationGroup({
            resourceGroupArn: "arn:aws:resource-groups:eu-west-1:111122223333:group/gpus",
          }),
        },
        [
          'capacity.resourceGroupArn: must be of the cluster\'s region, us-east-1, because reservations of another have no room for its nodes, got: "arn:aws:resource-groups:eu-west-1:111122223333:group/gpus". Give a resource group of that region',
        ],
      ],
      [
        "two types of one reservation",
        {
          instanceTypes: ["g6.xlarge", "g6.2xlarge"],
          capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0" }),
          availabilityZones: ["us-east-1a"],
        },
        ['instanceTypes: must be the one type of a reservation, got: "g6.xlarge, g6.2xlarge". Make a pool for each'],
      ],
      [
        "two zones of one reservation",
        { capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0" }) },
        [
          'availabilityZones: must be the one zone of a reservation, got: "us-east-1a, us-east-1b". Choose it with availabilityZones',
        ],
      ],
      [
        "more nodes than reserved",
        {
          maxNodes: 8,
          capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0", instanceCount: 4 }),
          availabilityZones: ["us-east-1a"],
        },
        [
          'maxNodes: must not be above the instances reserved, since nothing is launched outside of the reservation, got: "8 of 4". Lower maxNodes, or add a second pool for the rest',
        ],
      ],
      [
        "no instance reserved",
        {
          capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0", instanceCount: 0 }),
          availabilityZones: ["us-east-1a"],
        },
        ["capacity.instanceCount: must be a whole number from 1 to 1000, got: 0. Give the instances reserved"],
      ],
      [
        "more nodes than a group of reservations",
        {
          maxNodes: 8,
          capacity: Capacity.reservationGroup({
            resourceGroupArn: "arn:aws:resource-groups:us-east-1:111122223333:group/gpus",
            instanceCount: 4,
          }),
        },
        [
          'maxNodes: must not be above the instances reserved, since nothing is launched outside of the reservation, got: "8 of 4". Lower maxNodes, or add a second pool for the rest',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("Capacity Blocks", () => {
    test.each<Refusal>([
      [
        "a type that is not sold as one",
        {
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0" }),
          availabilityZones: ["us-east-1a"],
        },
        [
          'capacity: must not be a Capacity Block for types that are not sold as one, got: "g6.12xlarge". Use Capacity.onDemand() or Capacity.reservation()',
        ],
      ],
      [
        "two zones",
        { instanceTypes: ["p5.48xlarge"], capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0" }) },
        [
          'availabilityZones: must be the one zone of a Capacity Block, got: "us-east-1a, us-east-1b". Choose it with availabilityZones',
        ],
      ],
      [
        "a placement group",
        {
          instanceTypes: ["p5.48xlarge"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0" }),
          placement: ClusterPlacement.own(),
          availabilityZones: ["us-east-1a"],
        },
        [
          "placement: must be left out with a Capacity Block, whose instances are placed close together by themselves. Remove it",
        ],
      ],
      [
        "more instances than a block has",
        {
          instanceTypes: ["p5.48xlarge"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", instanceCount: 65 }),
          availabilityZones: ["us-east-1a"],
        },
        ["capacity.instanceCount: must be a whole number from 1 to 64, got: 65. Give the instances reserved"],
      ],
      [
        "more nodes than the block",
        {
          instanceTypes: ["p5.48xlarge"],
          maxNodes: 5,
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", instanceCount: 4 }),
          availabilityZones: ["us-east-1a"],
        },
        [
          'maxNodes: must not be above the instances reserved, since nothing is launched outside of the reservation, got: "5 of 4". Lower maxNodes, or add a second pool for the rest',
        ],
      ],
      [
        "an end for a managed group",
        {
          instanceTypes: ["p5.48xlarge"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", endsAt: "2026-12-24T11:30:00Z" }),
          availabilityZones: ["us-east-1a"],
        },
        [
          'capacity.endsAt: must be left out for a managed node group, which EKS takes to zero before the end by itself, got: "2026-12-24T11:30:00Z". Remove it',
        ],
      ],
      [
        "no end for a self-managed group",
        {
          instanceTypes: ["p5.48xlarge"],
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          availabilityZones: ["us-east-1a"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0" }),
        },
        [
          "capacity.endsAt: must be the literal end of the block in UTC, since the group is taken to zero 40 minutes before, got: undefined. Give it such as 2026-12-24T11:30:00Z",
        ],
      ],
      [
        "an end in another zone",
        {
          instanceTypes: ["p5.48xlarge"],
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          availabilityZones: ["us-east-1a"],
          capacity: Capacity.capacityBlock({
            reservationId: "cr-0123456789abcdef0",
            endsAt: "2026-12-24T11:30:00+01:00",
          }),
        },
        [
          "capacity.endsAt: must be the literal end of the block in UTC, since the group is taken to zero 40 minutes before, got: 2026-12-24T11:30:00+01:00. Give it such as 2026-12-24T11:30:00Z",
        ],
      ],
      [
        "a day that does not exist",
        {
          instanceTypes: ["p5.48xlarge"],
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          availabilityZones: ["us-east-1a"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", endsAt: "2026-02-30T11:30:00Z" }),
        },
        [
          "capacity.endsAt: must be the literal end of the block in UTC, since the group is taken to zero 40 minutes before, got: 2026-02-30T11:30:00Z. Give it such as 2026-12-24T11:30:00Z",
        ],
      ],
      [
        "an end as token",
        (stack: TerraformStack) => ({
          instanceTypes: ["p5.48xlarge"],
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          availabilityZones: ["us-east-1a"],
          capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", endsAt: textToken(stack) }),
        }),
        [
          "capacity.endsAt: must be the literal end of the block in UTC, since the group is taken to zero 40 minutes before, got: a token. Give it such as 2026-12-24T11:30:00Z",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
