import { checkOneOf, checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** Whether the pool tells EKS that the role's nodes may join. Managed node groups do not need it. */
export enum NodeAccess {
  /** The pool makes an access entry of the type EC2_LINUX. */
  CREATE_ACCESS_ENTRY = "create",
  /** The role has an access entry: a managed node group uses it, or somebody made one. A second one is refused by EKS. */
  HAS_ACCESS_ENTRY = "exists",
}

/** What the role of a pool's own is allowed beyond being a node. */
export interface OwnNodeRole {
  /**
   * ARNs of further managed policies, such as AmazonSSMManagedInstanceCore for Session Manager.
   *
   * Left out: what a node needs and nothing else. Pods get their rights through EKS Pod Identity, not through the node.
   */
  readonly managedPolicyArns?: string[];
}

/** A role that was made elsewhere. */
export interface ExistingNodeRole {
  /** ARN; may be a token. It must have the policies that nodes need. */
  readonly roleArn: string;
  /** Name of the role, for the instance profile of a self-managed group. Left out: read from a literal ARN. */
  readonly roleName?: string;
  /** Self-managed groups only. Left out: the pool makes an access entry, once for all pools of a stack that share the role. */
  readonly access?: NodeAccess;
}

const OF_OWN: MakerOptions<OwnNodeRole> = { managedPolicyArns: "optional" };
const OF_EXISTING: MakerOptions<ExistingNodeRole> = { roleArn: "required", roleName: "optional", access: "optional" };

const MARKER = Symbol.for("cdktf-elastic-gpu/NodeRole");

/** The IAM role that a pool's nodes have. */
export class NodeRole {
  /** A role of the pool's own, with the policies that EKS nodes need. */
  static own(options: OwnNodeRole = {}): NodeRole {
    checkOptions("NodeRole.own", options, OF_OWN);
    return new NodeRole(options.managedPolicyArns ?? []);
  }

  /** A role that was made elsewhere. */
  static existing(options: ExistingNodeRole): NodeRole {
    const maker = "NodeRole.existing";
    checkOptions(maker, options, OF_EXISTING);
    const { roleArn, roleName, access = NodeAccess.CREATE_ACCESS_ENTRY } = options;
    const isAccess = Object.values(NodeAccess).includes(access);
    checkOneOf(maker, "access", access, isAccess, "NodeAccess.CREATE_ACCESS_ENTRY or .HAS_ACCESS_ENTRY");
    return new NodeRole([], roleArn, roleName, access);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNodeRole(x: any): x is NodeRole {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Managed policies beyond what nodes need. */
    readonly managedPolicyArns: string[],
    /** ARN of the existing role, where one was given. */
    readonly roleArn?: string,
    /** Name of the existing role, where it was given. */
    readonly roleName?: string,
    /** Who makes the access entry. */
    readonly access: NodeAccess = NodeAccess.CREATE_ACCESS_ENTRY,
  ) {
    mark(this, MARKER);
  }
}
