import { isSectionKind, type Targetable } from '@policy-machinery/topology';

/**
 * Returns targets without whole objects if their sections are among them: policies of the whole also apply to each section, and
 * are seen there.
 *
 * @param targets The targets of a kind with unknown effective targets.
 * @returns The finest of them.
 */
export function finest(targets: readonly Targetable[]): readonly Targetable[] {
  const divided = new Set<Targetable>(targets.flatMap((target) => (isSectionKind(target) ? [target.of] : [])));
  return targets.filter((target) => !divided.has(target));
}
