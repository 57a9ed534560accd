import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** What a part of the user data is, and so which program on the node reads it. */
export enum UserDataKind {
  /** A script that cloud-init runs once, at the first boot. */
  SHELL = "shell",
  /** The `spec` of a nodeadm NodeConfig, merged over the pool's own. */
  NODE_CONFIG = "node-config",
  /** Bottlerocket settings, merged over the pool's own. */
  BOTTLEROCKET_SETTINGS = "bottlerocket-settings",
}

const MARKER = Symbol.for("cdktf-elastic-gpu/UserData");

/** One part that a user adds to what a pool's nodes read at boot. Parts keep their order, after the pool's own. */
export class UserData {
  /** A script for AL2023, or for an image of your own. It must begin with an interpreter line such as `#!/bin/bash`. */
  static shell(script: string): UserData {
    checkArgument("UserData.shell", "script", script);
    return new UserData(UserDataKind.SHELL, script);
  }

  /**
   * The `spec` of a NodeConfig (`node.eks.aws/v1alpha1`) for AL2023: nodeadm merges the documents in order, the last
   * value wins.
   *
   * What the pool decides is refused here: `cluster`, labels, taints, and with EFA the number of pods.
   */
  static nodeConfig(spec: { [key: string]: any }): UserData {
    checkArgument("UserData.nodeConfig", "spec", spec);
    return new UserData(UserDataKind.NODE_CONFIG, "", spec);
  }

  /**
   * Settings for Bottlerocket, without the leading `settings`: `{ kubernetes: { "max-pods": 58 } }`.
   *
   * What the pool decides is refused here, as in a NodeConfig. Tables are written out; scalars and lists may be tokens.
   */
  static bottlerocketSettings(settings: { [key: string]: any }): UserData {
    checkArgument("UserData.bottlerocketSettings", "settings", settings);
    return new UserData(UserDataKind.BOTTLEROCKET_SETTINGS, "", settings);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isUserData(x: any): x is UserData {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** What reads it. */
    readonly kind: UserDataKind,
    /** The script, of a shell part. */
    readonly script: string,
    /** The document, of the other parts. */
    readonly document: { [key: string]: any } = {},
  ) {
    mark(this, MARKER);
  }
}
