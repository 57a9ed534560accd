import { Construct } from "constructs";
import { IGpuCluster } from "./cluster";
import { GpuClusterAttributes, ImportedCluster } from "./imported-cluster";

/** The EKS cluster that everything else attaches to. */
export class GpuCluster {
  /**
   * A cluster that exists already, described by what its owner knows about it.
   *
   * Nothing is looked up and no resource is made, so synthesis needs neither credentials nor a network.
   *
   * @throws with every attribute that cannot be right, at once.
   */
  static fromAttributes(scope: Construct, id: string, attributes: GpuClusterAttributes): IGpuCluster {
    return new ImportedCluster(scope, id, attributes);
  }

  private constructor() {}
}
