import { NodeTaint, Workload } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("values that no maker made", () => {
    test.each<Refusal>([
      [
        "capacity",
        { capacity: "SPOT" },
        [
          'capacity: must be made by Capacity.onDemand(), .spot(), .reservation(), .reservationGroup() or .capacityBlock(), got: "SPOT". Call one of them',
        ],
      ],
      [
        "workload",
        { workload: "training" },
        [
          'workload: must be made by Workload.training(), .inference(), .development() or .named(), got: "training". Call one of them',
        ],
      ],
      [
        "image",
        { image: "ami-0123456789abcdef0" },
        [
          'image: must be made by NodeImage.al2023Nvidia(), .al2023Neuron(), .al2023Standard(), .bottlerocketNvidia() or .custom(), got: "ami-0123456789abcdef0". Call one of them',
        ],
      ],
      [
        "sharing",
        { sharing: { strategy: "mps", replicas: 4 } },
        [
          'sharing: must be made by GpuSharing.none(), .timeSlicing(), .mps() or .mig(), got: {"strategy":"mps","replicas":4}. Call one of them',
        ],
      ],
      [
        "efa",
        { efa: true },
        ["efa: must be made by EfaLayout.ipOptimised(), .bandwidthOptimised() or .none(), got: true. Call one of them"],
      ],
      [
        "placement",
        { placement: { strategy: "partition", partitionCount: 3 } },
        [
          'placement: must be made by ClusterPlacement.own(), .existing() or .none(); the strategies partition and spread keep nodes apart and are not offered, got: {"strategy":"partition","partitionCount":3}. Call one of them',
        ],
      ],
      [
        "nodeRole",
        { nodeRole: "arn:aws:iam::111122223333:role/node" },
        [
          'nodeRole: must be made by NodeRole.own() or .existing(), got: "arn:aws:iam::111122223333:role/node". Call one of them',
        ],
      ],
      [
        "updatePolicy",
        { updatePolicy: { maxUnavailable: 1 } },
        [
          'updatePolicy: must be made by UpdatePolicy.maxUnavailable(), .maxUnavailablePercentage(), .newNodesOnly() or .instanceRefresh(), got: {"maxUnavailable":1}. Call one of them',
        ],
      ],
      [
        "nodeRepair",
        { nodeRepair: true },
        ["nodeRepair: must be made by NodeRepair.enabled() or .disabled(), got: true. Call one of them"],
      ],
      [
        "localStorage",
        { localStorage: "RAID0" },
        ['localStorage: must be made by LocalStorage.raid0(), .raid10() or .mount(), got: "RAID0". Call one of them'],
      ],
      [
        "rootVolume.encryption",
        { rootVolume: { encryption: "arn:aws:kms:us-east-1:111122223333:key/1" } },
        [
          'rootVolume.encryption: must be made by VolumeEncryption.awsManagedKey(), .customerKey() or .ownKey(), got: "arn:aws:kms:us-east-1:111122223333:key/1". Call one of them',
        ],
      ],
      [
        "a taint",
        { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] },
        [
          'taints[0]: must be made by NodeTaint.noSchedule(), .preferNoSchedule() or .noExecute(), got: {"key":"a","value":"b","effect":"NoSchedule"}. Call one of them',
        ],
      ],
      [
        "a part of the user data",
        { userData: ["#!/bin/bash"] },
        [
          'userData[0]: must be made by UserData.shell(), .nodeConfig() or .bottlerocketSettings(), got: "#!/bin/bash". Call one of them',
        ],
      ],
      [
        "a custom type",
        { customTypes: [{ instanceType: "p7.48xlarge" }] },
        [
          'customTypes[0]: must be made by AcceleratorType.custom(), got: {"instanceType":"p7.48xlarge"}. Call one of them',
        ],
      ],
      [
        "the effect of the workload's taint",
        { workload: Workload.training(), workloadTaint: "NO_SCHEDULE" },
        [
          'workloadTaint: must be one of NoSchedule, PreferNoSchedule, NoExecute, got: "NO_SCHEDULE". Choose one of them',
        ],
      ],
      [
        "null",
        { capacity: null },
        [
          "capacity: must be made by Capacity.onDemand(), .spot(), .reservation(), .reservationGroup() or .capacityBlock(), got: null. Call one of them",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("lists and maps", () => {
    test.each<Refusal>([
      [
        "subnets as one text",
        { subnetIds: "subnet-0aaa" },
        [
          'subnetIds: must be a list that is written out; its members may be tokens, got: "subnet-0aaa". List the members one by one',
        ],
      ],
      [
        "one taint outside of a list",
        { taints: NodeTaint.noSchedule("a") },
        [
          "taints: must be a list that is written out; its members may be tokens, got: an instance of NodeTaint. List the members one by one",
        ],
      ],
      [
        "labels as a list",
        { labels: ["a=b"] },
        [
          'labels: must be a map that is written out; its values may be tokens, got: ["a=b"]. Write its keys and values out',
        ],
      ],
      [
        "tags as text",
        { tags: "team=ml" },
        [
          'tags: must be a map that is written out; its values may be tokens, got: "team=ml". Write its keys and values out',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
