import { Values } from "./values";

/** Keeps the replicas of a controller on different nodes as long as there are several. */
export function spreadOverHosts(releaseName: string): Values {
  return {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: { "app.kubernetes.io/instance": releaseName } },
      },
    ],
  };
}

/** A DaemonSet is renewed on this share of its nodes at a time; one by one, a large pool would outlast any wait. */
export const RENEWED_AT_ONCE: Values = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } };
