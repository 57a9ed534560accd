/** Labels of the nodes that controllers run on, which no pool may have. */
export const SYSTEM_NODE_LABELS = { "node-role": "system" };
