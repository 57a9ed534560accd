import { LocalStorage, NodeImage, RootVolume, VolumeEncryption, VolumeType } from "cdktf-elastic-gpu";
import { addPool, PoolChoices, synthPool } from "../support/pool";
import { allOf, decodeUserData, Json, resources, synth, theOne } from "../support/synth";

const disksOf = (choices: PoolChoices): Json[] =>
  theOne(synthPool(choices).json, "aws_launch_template").block_device_mappings;
const volumeOf = (rootVolume: RootVolume) => disksOf({ rootVolume })[0]!.ebs;

describe("the root volume", () => {
  test("is 100 GiB of encrypted gp3 that goes with its instance", () => {
    expect(disksOf({})).toEqual([
      {
        device_name: "/dev/xvda",
        ebs: { volume_size: 100, volume_type: "gp3", encrypted: "true", delete_on_termination: "true" },
      },
    ]);
  });

  test.each<[string, RootVolume, object]>([
    ["the smallest", { sizeGib: 20 }, { volume_size: 20 }],
    ["the largest", { sizeGib: 65536 }, { volume_size: 65536 }],
    ["included IOPS on a small volume", { sizeGib: 20, iops: 3000 }, { iops: 3000 }],
    ["500 IOPS a GiB", { sizeGib: 100, iops: 50000 }, { iops: 50000 }],
    ["a quarter of the IOPS", { iops: 4000, throughputMibps: 1000 }, { iops: 4000, throughput: 1000 }],
    ["io2", { volumeType: VolumeType.IO2, iops: 100 }, { volume_type: "io2", iops: 100 }],
  ])("may have %s", (_, rootVolume, expected) => {
    expect(volumeOf(rootVolume)).toMatchObject(expected);
  });

  test("says neither IOPS nor throughput where they are left out", () => {
    expect(Object.keys(volumeOf({ sizeGib: 200 }))).toEqual(
      expect.not.arrayContaining(["iops", "throughput", "kms_key_id"]),
    );
  });

  test("on Bottlerocket is the data volume, beside a small one for the system", () => {
    const disks = disksOf({
      image: NodeImage.bottlerocketNvidia(),
      rootVolume: { sizeGib: 300, throughputMibps: 500, encryption: VolumeEncryption.awsManagedKey() },
    });
    expect(
      disks.map((disk) => [disk.device_name, disk.ebs.volume_size, disk.ebs.throughput, disk.ebs.encrypted]),
    ).toEqual([
      ["/dev/xvda", 4, undefined, "true"],
      ["/dev/xvdb", 300, 500, "true"],
    ]);
  });
});

describe("a key of the user's", () => {
  const keyArn = "arn:aws:kms:us-east-1:111122223333:key/0123abcd-0000-1111-2222-333344445555";
  const { json } = synthPool({ rootVolume: { encryption: VolumeEncryption.customerKey(keyArn) } });

  test("encrypts the volume, and Auto Scaling is granted its use before a node starts", () => {
    expect(theOne(json, "aws_launch_template").block_device_mappings[0].ebs.kms_key_id).toBe(keyArn);
    const [grant] = Object.keys(resources(json, "aws_kms_grant"));
    expect(theOne(json, "aws_kms_grant")).toMatchObject({
      key_id: keyArn,
      operations: expect.arrayContaining(["Decrypt", "GenerateDataKeyWithoutPlaintext", "CreateGrant"]),
    });
    expect(theOne(json, "aws_eks_node_group").depends_on).toContain(`aws_kms_grant.${grant}`);
  });

  test("is granted to the service-linked role of the account and partition at hand", () => {
    const { grantee_principal: principal } = theOne(json, "aws_kms_grant");
    expect(principal).toMatch(
      /^arn:\$\{data\.aws_partition\.[\w-]+\.partition\}:iam::\$\{data\.aws_caller_identity\.[\w-]+\.account_id\}:role\/aws-service-role\/autoscaling\.amazonaws\.com\/AWSServiceRoleForAutoScaling$/,
    );
  });

  test("makes no key", () => {
    expect(allOf(json, "aws_kms_key")).toEqual([]);
  });
});

describe("a key of the pool's own", () => {
  const { json } = synthPool({ rootVolume: { encryption: VolumeEncryption.ownKey() } });

  test("rotates, and encrypts the volume", () => {
    const [id] = Object.keys(resources(json, "aws_kms_key"));
    expect(theOne(json, "aws_kms_key").enable_key_rotation).toBe(true);
    expect(theOne(json, "aws_launch_template").block_device_mappings[0].ebs.kms_key_id).toBe(
      `\${aws_kms_key.${id}.arn}`,
    );
  });

  test("may be used by Auto Scaling, which attaches volumes for AWS resources alone", () => {
    const { policy } = theOne(json, "aws_kms_key");
    expect(policy).toContain("AWSServiceRoleForAutoScaling");
    expect(policy).toContain("kms:GrantIsForAWSResource");
    expect(policy).toContain(":root");
  });

  test("does not wait for cluster, group or role, which wait for it", () => {
    expect(JSON.stringify(theOne(json, "aws_kms_key"))).not.toMatch(/aws_(eks|autoscaling|iam|launch)/);
  });
});

test("what is read of the account does not wait for anything: a policy that is known after apply would never settle", () => {
  const { json } = synth((stack) => {
    const first = addPool(stack, {}, "first");
    addPool(stack, { rootVolume: { encryption: VolumeEncryption.ownKey() }, dependsOn: [first.resource] }, "second");
  });
  expect(theOne(json, "data.aws_caller_identity")).not.toHaveProperty("depends_on");
  expect(theOne(json, "data.aws_partition")).not.toHaveProperty("depends_on");
});

describe("the instance store", () => {
  test.each([
    ["g5.xlarge", LocalStorage.raid0(), "RAID0"],
    ["p5.48xlarge", LocalStorage.raid0(), "RAID0"],
    ["p5.48xlarge", LocalStorage.raid10(), "RAID10"],
    ["g6.12xlarge", LocalStorage.raid10(), "RAID10"],
    ["g6.xlarge", LocalStorage.mount(), "Mount"],
  ])("of %s is set up by nodeadm (%#)", (instanceType, localStorage, strategy) => {
    const { json } = synthPool({ instanceTypes: [instanceType], localStorage });
    const [part, ...others] = decodeUserData(theOne(json, "aws_launch_template").user_data);
    expect(others).toEqual([]);
    expect(JSON.parse(part!.body).spec).toEqual({ instance: { localStorage: { strategy } } });
  });

  test("is left alone, and there is nothing to say to a managed node, unless it is asked for", () => {
    const { json } = synthPool({ instanceTypes: ["g5.xlarge"] });
    expect(theOne(json, "aws_launch_template")).not.toHaveProperty("user_data");
  });
});
