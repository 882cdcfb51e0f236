import { isCurrent } from '@policy-machinery/resource/inner';
import type { PolicyNode } from '@policy-machinery/topology';
import type { PolicyView } from '../model/world.ts';
import { writtenEntries } from './written.ts';

/** Why a status is not about the current version of its policy. */
export type StatusAge = 'outdated' | 'missing';

/**
 * Returns, for each policy of a kind, whether its controller has seen the current version.
 *
 * @param isLive Whether the policies are from a cluster, where each should have a status. In files, a status is missing only where other
 * policies of the kind have one.
 * @param applied The policies that would be applied from files, by locator: these do not have status yet.
 * @param only Locators of the policies that are asked about. Default: all.
 * @returns The policies with an outdated or missing status, by locator; none if statuses of the kind cannot be read.
 */
export function statusAges(
  { found, effective }: PolicyView,
  isLive: boolean,
  applied: ReadonlySet<string>,
  only?: ReadonlySet<string>,
): ReadonlyMap<string, StatusAge> {
  const { status: form, kind } = found;
  const ages = new Map<string, StatusAge>();
  if (form === 'other') return ages;
  const all = (): readonly PolicyNode[] => [...effective.topology.policies(kind)];
  const isAsked = ({ locator }: PolicyNode): boolean => only?.has(locator) !== false;
  const asked =
    isLive && only !== undefined ? [...only].flatMap((it) => effective.policy(it)?.node ?? []) : all().filter(isAsked);
  const isExpected = isLive || all().some(({ resource }) => writtenEntries(resource, form).length > 0);
  for (const { locator, resource } of asked) {
    const conditions = writtenEntries(resource, form).flatMap((it) => it.conditions);
    if (conditions.length === 0) {
      if (isExpected && !applied.has(locator)) ages.set(locator, 'missing');
    } else if (!conditions.every((it) => isCurrent(it, resource))) ages.set(locator, 'outdated');
  }
  return ages;
}

/** The texts about statuses that are not current. */
export const statusAgeTexts: Readonly<Record<StatusAge, string>> = {
  missing: 'Its status is missing: no controller has reported it.',
  outdated: 'Its status is about an earlier generation: its controller has not reported the last change.',
};
