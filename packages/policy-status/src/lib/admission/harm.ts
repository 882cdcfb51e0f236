import type { PolicyOutcome } from '@policy-machinery/conditions';
import type { DeclaredPolicy, EffectivePolicies, ScopeOutcome } from '@policy-machinery/effective-policy';
import { type GroupKind, refOf } from '@policy-machinery/resource';
import { formatTarget, type PolicyNode } from '@policy-machinery/topology';
import type { ImpactOnKind } from '../impact/impact-on-kind.ts';
import { alteredTargets, fallbacks, lostFields, uncoveredTargets } from '../impact/lost-fields.ts';
import { combineOutcomes } from '../report/outcome.ts';
import { policyName } from '../report/policy-name.ts';
import { findingsIn, outcomeOf } from '../report/policy-report.ts';
import type { Warning } from './admission-warnings.ts';
import { type Counted, fieldList, nameList, policyList, scopesText } from './lists.ts';

/** The object that a change is about. */
export interface Subject {
  /** Its locator, if it is a policy of the kind. */
  readonly policy: string | undefined;
  readonly namespace: string | undefined;
  /** Whether objects in other namespaces are named, rather than counted. */
  readonly namesAll: boolean;
}

/** The effects of a change on other policies, the worst first, each with its wording. */
const effects = {
  target: (policies: string) => `takes a target from ${policies}`,
  permission: (policies: string) => `takes the permission for a target from ${policies}`,
  conflict: (policies: string) => `causes a conflict for ${policies}`,
  overridden: (policies: string) => `overrides all of ${policies}`,
  pathless: (policies: string) => `ends the effect of ${policies}`,
  fields: (policies: string, fields: string) => `takes ${fields} from ${policies}`,
} as const;

type Effect = keyof typeof effects;

/** The effect that a worse outcome has on a policy, in the same order. */
const effectOf: Readonly<Partial<Record<PolicyOutcome, Effect>>> = {
  'target-not-found': 'target',
  'section-not-found': 'target',
  'reference-not-permitted': 'permission',
  conflicted: 'conflict',
  overridden: 'overridden',
  'not-in-any-path': 'pathless',
  pending: 'pathless',
};

/** A policy that a change harms. */
interface Harmed extends Counted {
  readonly effect: Effect;
  readonly fields: Iterable<string>;
}

/** Returns a warning for each kind of harm of a change to other policies, and one for targets that it leaves without a policy. */
export function harmToOthers(change: ImpactOnKind, subject: Subject): readonly Warning[] {
  const { kind } = change.after.kind;
  const harmed = harmedBy(change, subject);
  const warnings = (Object.keys(effects) as Effect[]).flatMap((effect): readonly Warning[] => {
    const alike = harmed.filter((it) => it.effect === effect);
    if (alike.length === 0) return [];
    const fields = fieldList(alike.flatMap((it) => (it.isNamed ? [...it.fields] : [])));
    const message = `This change ${effects[effect](policyList(kind, alike), fields)}.`;
    return [{ weight: effect === 'fields' ? 'others-fields' : 'others-all', message }];
  });
  const uncovered = uncoveredTargets(change);
  if (uncovered.length === 0) return warnings;
  const count = `${uncovered.length} ${uncovered.length === 1 ? 'target' : 'targets'}`;
  const named = uncovered.map((target) => {
    return { name: formatTarget(target), isNamed: isNamed(target.ref.namespace, subject) };
  });
  const message = `This change leaves ${count} without any ${kind}: ${nameList(named, 2)}.`; // With their kinds, more are too long.
  return [...warnings, { weight: 'uncovered', message }];
}

/** Returns a warning about a change that alters the effective policies of many targets. */
export function alteredWarning(change: ImpactOnKind, subject: Subject, many: number): readonly Warning[] {
  const altered = alteredTargets(change);
  if (altered.length < many) return [];
  const named = altered.find(({ ref }) => isNamed(ref.namespace, subject));
  const example = named === undefined ? '' : `, such as ${formatTarget(named)}`;
  const count = altered.length.toLocaleString('en');
  const message = `This change alters the effective ${change.after.kind.kind} of ${count} targets${example}.`;
  return [{ weight: 'altered', message }];
}

/** Returns the warning about a change that touches too much for its harm to be listed. */
export function harmToMany({ kind }: GroupKind, most: number): Warning {
  const number = most.toLocaleString('en');
  const message = `This change affects more than ${number} contexts of ${kind}; the policies that lose fields are not listed.`;
  return { weight: 'others-all', message };
}

/** Returns warnings about the values that replace a deleted policy. */
export function effectsOfDeletion(change: ImpactOnKind, subject: Subject): readonly Warning[] {
  const { topology, kind } = change.after;
  const { heirs, fields, unset } = fallbacks(change, subject.policy);
  const { '': ofTargets, ...ofPolicies } = Object.fromEntries(heirs);
  const policies = Object.entries(ofPolicies).flatMap(([locator, scopes]): readonly Counted[] => {
    const node = topology.policy(locator);
    return node === undefined ? [] : [{ ...listed(node, subject), scopes }];
  });
  const heirsText = [
    ...(policies.length === 0 ? [] : [policyList(kind.kind, policies)]),
    ...(ofTargets === undefined ? [] : [`values set by targets in ${scopesText(ofTargets)}`]),
  ].join(' and ');
  const messages: string[] = [];
  if (heirsText !== '') {
    messages.push(
      `Without this policy ${fieldList(fields)} ${fields.size === 1 ? 'falls' : 'fall'} back to ${heirsText}.`,
    );
  }
  if (unset.scopes > 0) {
    const are = unset.fields.size === 1 ? 'is' : 'are';
    messages.push(`Without this policy ${fieldList(unset.fields)} ${are} unset in ${scopesText(unset.scopes)}.`);
  }
  return messages.map((message) => ({ weight: 'fallback', message }));
}

function harmedBy(change: ImpactOnKind, subject: Subject): readonly Harmed[] {
  const losses = lostFields(change.contexts);
  const others = new Set([...losses.keys(), ...change.policies]);
  if (subject.policy !== undefined) others.delete(subject.policy);
  const effectOn = effectsIn(change);
  return [...others].flatMap((locator): readonly Harmed[] => {
    const node = change.after.topology.policy(locator);
    const { fields = [], scopes = 0 } = losses.get(locator) ?? {};
    const effect = effectOn(locator) ?? (scopes > 0 ? 'fields' : undefined);
    return node === undefined || effect === undefined ? [] : [{ ...listed(node, subject), scopes, effect, fields }];
  });
}

/** Returns a function that finds the effect of a change on a policy with a worse outcome. */
function effectsIn({ before, after }: ImpactOnKind): (policy: string) => Effect | undefined {
  const [effectBefore, effectAfter] = [effectsNow(before), effectsNow(after)];
  return (locator) => {
    const [was, is] = [before.topology.policy(locator), after.topology.policy(locator)];
    if (was === undefined || is === undefined || was.kind !== after.kind) return undefined;
    const effect = effectAfter(locator);
    const isWorse = effect !== undefined && badness(effect) > badness(effectBefore(locator));
    if (isWorse && effect !== 'pathless') return effect;
    if (targetsOf(was) > targetsOf(is)) return 'target';
    return isWorse ? effect : undefined;
  };
}

/**
 * Returns a function that finds why a policy does not have an effect: `undefined` if the policy is in force in some scope, is invalid,
 * or does not exist. Looks at each scope only where the set of outcomes is not enough.
 */
function effectsNow(view: EffectivePolicies<unknown>): (policy: string) => Effect | undefined {
  const findingsOn = findingsIn(view, new Set());
  return (locator) => {
    const declared = view.policy(locator);
    if (declared === undefined) return undefined;
    const inScopes = view.outcomesOf(locator);
    const isReportedByScopes = view.kind.manages === undefined && declared.verdicts.length === 0;
    const isInForce = inScopes.has('enforced') || inScopes.has('partly-enforced');
    if (isReportedByScopes && isInForce) return undefined;
    const isKnown = isReportedByScopes && inScopes.size > 0 && isDecidedByScopes(declared, inScopes, view);
    return effectOf[isKnown ? combineOutcomes(inScopes) : outcomeOf(findingsOn(declared)).outcome];
  };
}

/** Returns whether the outcomes of a policy that is not in force in any of its scopes decide about its outcome as a whole. */
function isDecidedByScopes(
  { node: { locator, attachments } }: DeclaredPolicy<unknown>,
  inScopes: ReadonlySet<ScopeOutcome>,
  view: EffectivePolicies<unknown>,
): boolean {
  const targets = attachments.flatMap(({ target, outcome, consumerNamespace }) =>
    target === undefined || outcome !== 'Attached' || consumerNamespace !== undefined ? [] : target,
  );
  const hasFaults = view.topology.issuesAbout(locator).some(({ severity }) => severity === 'error');
  if (hasFaults || targets.length < attachments.length) return false;
  // On a target without scopes, only a conflict is worse than to be overridden elsewhere.
  return (
    targets.length === 1 ||
    inScopes.has('conflicted') ||
    targets.every((target) => view.conflictAt(locator, target) === undefined)
  );
}

/** Returns how bad an effect is; 0 for none. */
function badness(effect: Effect | undefined): number {
  return effect === undefined ? 0 : Object.keys(effects).length - Object.keys(effects).indexOf(effect);
}

function targetsOf({ attachments }: PolicyNode): number {
  return attachments.filter(({ target }) => target !== undefined).length;
}

function listed(node: PolicyNode, subject: Subject): Pick<Counted, 'name' | 'isNamed'> {
  return { name: policyName(node), isNamed: isNamed(refOf(node.resource, node.kind.scope).namespace, subject) };
}

/** Returns whether objects in a namespace, or without one, are named. */
export function isNamed(namespace: string | undefined, subject: Subject): boolean {
  return subject.namesAll || namespace === undefined || namespace === subject.namespace;
}
