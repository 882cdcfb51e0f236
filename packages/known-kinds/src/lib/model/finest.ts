import { isSectionKind, type Targetable } from '@policy-machinery/topology';

/**
 * Returns targets without the wholes whose sections are among them: what applies to the whole also applies to each section, and is seen
 * there.
 *
 * @param targets The targets of a kind whose effective targets are not known.
 * @returns The finest of them.
 */
export function finest(targets: readonly Targetable[]): readonly Targetable[] {
  const divided = new Set<Targetable>(targets.flatMap((target) => (isSectionKind(target) ? [target.of] : [])));
  return targets.filter((target) => !divided.has(target));
}
