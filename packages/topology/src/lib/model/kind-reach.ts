import { formatGroupKind, type GroupKind, type Issue, PolicyMachineryError } from '@policy-machinery/resource';
import { kindIn } from './check-kinds.ts';
import { KindLinks } from './kind-links.ts';
import type { Kinds } from './kinds.ts';
import {
  describeTargetable,
  isSameTargetable,
  isSectionKind,
  ownerOf,
  type Targetable,
  type TargetKind,
} from './target-kind.ts';

/** Returns whether references of a kind may lead to another kind. */
export function mayRefer(from: TargetKind, to: GroupKind, direction: 'up' | 'down'): boolean {
  return from.mayReferTo?.(to, direction) ?? true;
}

/**
 * Refuses policy kinds if their policies could never have an effect: kinds with effective targets that none of their targets leads to, or
 * with targets that lead to none of their effective targets.
 *
 * @throws {PolicyMachineryError} `unreachable-target` with all faults.
 */
export function checkReach({ targets: targetKinds, policies }: Pick<Kinds, 'targets' | 'policies'>): void {
  const kinds = [...targetKinds.values()];
  const links = linksAmong(kinds);
  const leadsTo = (target: Targetable, effective: Targetable): boolean => {
    const [from, to] = [kindIn(targetKinds, ownerOf(target)), kindIn(targetKinds, ownerOf(effective))];
    if (from === undefined || to === undefined) return false;
    if (from === to && !isSectionKind(target)) return true; // Its sections.
    if (links.leadsTo(from, to)) return true;
    if (isSectionKind(target)) return false;
    return membersOf(from, kinds).some((kind) => kind === to || links.leadsTo(kind, to));
  };
  const issues: Issue[] = [];
  const report = (message: string): void => {
    issues.push({ code: 'unreachable-target', severity: 'error', message });
  };
  for (const policy of policies.values()) {
    const { targets, effectiveTargets = targets } = policy;
    const leads = (target: Targetable, effective: Targetable): boolean =>
      isSameTargetable(target, effective) || leadsTo(target, effective);
    const name = formatGroupKind(policy);
    for (const effective of effectiveTargets) {
      if (targets.some((target) => leads(target, effective))) continue;
      report(
        `${name} has the effective target ${describeTargetable(effective)}, but none of its targets leads to it (${listed(targets)}); target it, or a kind above it`,
      );
    }
    for (const target of targets) {
      if (effectiveTargets.some((effective) => leads(target, effective))) continue;
      report(
        `${name} has the target ${describeTargetable(target)}, but it does not lead to an effective target (${listed(effectiveTargets)}), so policies on it would not have an effect; leave it out of targets, or add kinds below it to effectiveTargets`,
      );
    }
  }
  if (issues.length === 0) return;
  throw new PolicyMachineryError('unreachable-target', 'Policies of some kinds could have no effect', issues);
}

/**
 * Returns the links that kinds can have, from the `mayReferTo` of each. A kind with references and without `mayReferTo` may be linked to any
 * other. O(kinds²).
 */
function linksAmong(kinds: readonly TargetKind[]): KindLinks {
  const links = new KindLinks();
  for (const from of kinds) {
    for (const to of kinds) {
      if (mayRefer(from, to, 'down') || mayRefer(to, from, 'up')) links.add(from, to);
    }
  }
  return links;
}

function membersOf(container: TargetKind, kinds: readonly TargetKind[]): readonly TargetKind[] {
  const isNamespace = container.group === '' && container.kind === 'Namespace';
  if (!isNamespace && container.memberOf === undefined) return [];
  const mayContain = container.memberOf !== undefined && container.scope === 'Cluster';
  return kinds.filter(({ scope, memberOf }) => memberOf === undefined && (mayContain || scope === 'Namespaced'));
}

function listed(targets: readonly Targetable[]): string {
  return targets.map(describeTargetable).join(', ');
}
