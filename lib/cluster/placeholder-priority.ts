/**
 * Priority of placeholder pods: below that of every ordinary pod, which is 0 at least, so that any of them takes their place
 * at once; and not below the cutoff of the Cluster Autoscaler, so that a node is started for one that has no place.
 */
export const PLACEHOLDER_PRIORITY = -10;
