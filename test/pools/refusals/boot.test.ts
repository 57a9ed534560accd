import { LocalStorage, NodeImage, UserData } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal } from "../../support/samples";

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
});
