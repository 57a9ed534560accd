// Reads node pools out of a synthesized stack, as Terraform will see them.

/**
 * @typedef {Record<string, any>} Block a resource or a block in Terraform's JSON syntax
 * @typedef {{ name: string, instanceTypes: string[], min: number, max: number }} Pool
 */

/** @param {Block} stack the content of a cdk.tf.json @returns {Pool[]} */
export function poolsOf(stack) {
  const resources = stack.resource ?? {};
  const managed = Object.entries(resources.aws_eks_node_group ?? {}).map(([address, group]) => ({
    name: nameOf(group.node_group_name, group.node_group_name_prefix, `aws_eks_node_group.${address}`),
    instanceTypes: group.instance_types ?? templateTypes(resources, group.launch_template),
    min: first(group.scaling_config).min_size,
    max: first(group.scaling_config).max_size,
  }));
  const selfManaged = Object.entries(resources.aws_autoscaling_group ?? {}).map(([address, group]) => ({
    name: nameOf(group.name, group.name_prefix, `aws_autoscaling_group.${address}`),
    instanceTypes: mixedTypes(resources, group) ?? templateTypes(resources, group.launch_template),
    min: group.min_size,
    max: group.max_size,
  }));
  return [...managed, ...selfManaged];
}

/** Blocks that may occur once are rendered as an object or as a list of one. @param {Block | Block[] | undefined} block @returns {Block} */
function first(block) {
  return (Array.isArray(block) ? block[0] : block) ?? {};
}

/**
 * A name that only Terraform will know says less than the address.
 *
 * @param {string | undefined} name @param {string | undefined} prefix @param {string} address
 */
function nameOf(name, prefix, address) {
  const text = name ?? (prefix && `${prefix}*`);
  return text === undefined || text.includes("${") ? address : text;
}

/** @param {Block} resources @param {Block} group @returns {string[] | undefined} */
function mixedTypes(resources, group) {
  if (!group.mixed_instances_policy) return undefined;
  const template = first(first(group.mixed_instances_policy).launch_template);
  /** @type {string[]} */
  const types = (template.override ?? [])
    .map((/** @type {Block} */ override) => override.instance_type)
    .filter(Boolean);
  return types.length > 0 ? types : templateTypes(resources, template.launch_template_specification);
}

/** @param {Block} resources @param {Block | Block[] | undefined} reference @returns {string[]} */
function templateTypes(resources, reference) {
  const { id, launch_template_id: otherId, name } = first(reference);
  const address = /aws_launch_template\.([\w-]+)/.exec(id ?? otherId ?? name ?? "")?.[1];
  const type = address && resources.aws_launch_template?.[address]?.instance_type;
  return type ? [type] : [];
}
