/** Logs that a control plane can write. */
export enum ControlPlaneLog {
  /** Requests to the API server. */
  API = "api",
  /** Who did what. */
  AUDIT = "audit",
  /** How IAM identities were recognized. */
  AUTHENTICATOR = "authenticator",
  /** The controllers of Kubernetes itself. */
  CONTROLLER_MANAGER = "controllerManager",
  /** Why pods went to which nodes, or to none. */
  SCHEDULER = "scheduler",
}

/** Which logs of the control plane go to CloudWatch Logs, and for how long. */
export interface ControlPlaneLogging {
  /** Left out: all five. An empty list: none. Writing costs about USD 0.50 a GB (us-east-1), most of it for the audit log. */
  readonly types?: ControlPlaneLog[];
  /** Days that logs are kept, one of those that CloudWatch Logs offers. Left out: 90. */
  readonly retentionDays?: number;
}
