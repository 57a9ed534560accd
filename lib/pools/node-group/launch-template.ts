import { EfaInterface, NodeImage } from "../../accelerators";
import {
  LaunchTemplate,
  LaunchTemplateBlockDeviceMappings,
  LaunchTemplateConfig,
} from "@cdktf/provider-aws/lib/launch-template";
import { Token } from "cdktf";
import { Construct } from "constructs";
import { ResourceOptions } from "../../internal/resource-options";
import { Capacity, CapacityMarket } from "../capacity";
import { RootVolume, VolumeType } from "../root-volume";
import { networkInterfaces } from "./network";
import { volumeSizeGib } from "./storage";

/** Size of Bottlerocket's read-only system volume, beside the data volume (Bottlerocket documentation, default images). */
const BOTTLEROCKET_SYSTEM_GIB = 4;

export interface LaunchTemplateFacts {
  readonly name: string;
  readonly image: NodeImage;
  /** Given where EKS does not choose the image: self-managed groups and custom images. */
  readonly imageId?: string;
  /** Given where the group does not list the types: Capacity Blocks and self-managed groups of one type. */
  readonly instanceType?: string;
  /** Given for self-managed groups; EKS adds its own to managed node groups. */
  readonly instanceProfileArn?: string;
  readonly capacity: Capacity;
  readonly interfaces: EfaInterface[];
  readonly securityGroupIds: string[];
  readonly publicAddress?: boolean;
  readonly placementGroup?: string;
  readonly rootVolume: RootVolume;
  readonly keyArn?: string;
  readonly imdsHopLimit: number;
  readonly userData?: string;
  readonly tags: { [key: string]: string };
  /** Tags of instances, volumes and network interfaces. Not of Spot requests: groups cannot be created with those. */
  readonly instanceTags: { [key: string]: string };
}

/** The launch template as a group refers to it: by number, since a name such as `$Latest` hides changes from a plan. */
export interface LaunchTemplateVersion {
  readonly id: string;
  readonly version: string;
}

/** The launch template of every kind of group. */
export function launchTemplate(
  scope: Construct,
  facts: LaunchTemplateFacts,
  options: ResourceOptions,
): LaunchTemplateVersion {
  const interfaces = networkInterfaces(facts.interfaces, facts.securityGroupIds, facts.publicAddress);
  const template = new LaunchTemplate(scope, "LaunchTemplate", {
    ...options,
    name: facts.name,
    description: `Nodes of the GPU pool ${scope.node.path}`.slice(0, 255),
    updateDefaultVersion: true,
    imageId: facts.imageId,
    instanceType: facts.instanceType,
    iamInstanceProfile: facts.instanceProfileArn === undefined ? undefined : { arn: facts.instanceProfileArn },
    blockDeviceMappings: volumes(facts),
    ebsOptimized: "true",
    metadataOptions: {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: facts.imdsHopLimit,
      // EKS and the autoscaler need tags with a slash in their keys, which EC2 refuses on an instance that may read its tags.
      instanceMetadataTags: "disabled",
    },
    // Security groups stand either on the interfaces or on the instance; EC2 refuses both.
    ...(interfaces ? { networkInterfaces: interfaces } : { vpcSecurityGroupIds: facts.securityGroupIds }),
    ...(facts.placementGroup !== undefined && { placement: { groupName: facts.placementGroup } }),
    ...market(facts.capacity),
    userData: facts.userData,
    tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
      resourceType,
      tags: facts.instanceTags,
    })),
    tags: facts.tags,
  });
  return { id: template.id, version: Token.asString(template.latestVersion) };
}

/** A target alone: next to one, a preference is refused. */
function market({ market, reservationId, resourceGroupArn }: Capacity): Partial<LaunchTemplateConfig> {
  if (market !== CapacityMarket.RESERVATION && market !== CapacityMarket.CAPACITY_BLOCK) {
    return {};
  }
  return {
    capacityReservationSpecification: {
      capacityReservationTarget: {
        capacityReservationId: reservationId,
        capacityReservationResourceGroupArn: resourceGroupArn,
      },
    },
    ...(market === CapacityMarket.CAPACITY_BLOCK && { instanceMarketOptions: { marketType: "capacity-block" } }),
  };
}

function volumes({ image, rootVolume, keyArn }: LaunchTemplateFacts): LaunchTemplateBlockDeviceMappings[] {
  const volume = (deviceName: string, volumeSize: number, settings: RootVolume): LaunchTemplateBlockDeviceMappings => ({
    deviceName,
    ebs: {
      volumeSize,
      volumeType: settings.volumeType ?? VolumeType.GP3,
      iops: settings.iops,
      throughput: settings.throughputMibps,
      encrypted: "true",
      kmsKeyId: keyArn,
      deleteOnTermination: "true",
    },
  });
  const size = volumeSizeGib(rootVolume);
  return image._dataDeviceName === undefined
    ? [volume(image._rootDeviceName, size, rootVolume)]
    : [volume(image._rootDeviceName, BOTTLEROCKET_SYSTEM_GIB, {}), volume(image._dataDeviceName, size, rootVolume)];
}
