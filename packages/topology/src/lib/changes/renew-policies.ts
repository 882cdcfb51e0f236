import { groupKindKey, type Issue } from '@policy-machinery/resource';
import { attach } from '../attachment/attach.ts';
import type { AttachedPolicy } from '../attachment/attach-context.ts';
import { maxSelectingPolicies } from '../attachment/crowds.ts';
import { ageOf } from '../model/age.ts';
import type { Attachment, PolicyNode } from '../model/policy-node.ts';
import type { TargetNode } from '../model/target-node.ts';
import { entryAt, positionsAfter, positionsOf } from '../paths/position.ts';
import { spread } from '../paths/traversal.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { isSameList } from '../support/is-same-list.ts';
import { emptySet, none } from '../support/nothing.ts';
import { sortedBy } from '../support/sorted-by.ts';
import { Named } from '../targets/named.ts';
import { Target } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import { spreadToReferred } from './renew-resources.ts';
import type { TopologyState } from './topology-state.ts';

/** Attaches all stale policies again. */
export function renewPolicies(change: ChangeInProgress): void {
  const { state, stalePolicies } = change;
  if (state.kinds.hasManagers) findManaged(change);
  const referring = state.kinds.hasRefusals ? [...change.came, ...change.edited] : none;
  for (const object of new Set(referring.map((it) => it.object))) spreadToReferred(change, object);
  for (const locator of inTurn(state, stalePolicies)) renewPolicy(change, locator);
  for (const { locator } of state.crowds.stale) renewPolicy(change, locator);
}

/** Returns policies in the order of attaching: the oldest first if policies select targets, so that no younger policy is attached needlessly. */
function inTurn({ given, kinds }: TopologyState, locators: ReadonlySet<string>): Iterable<string> {
  if (!kinds.hasSelectors || locators.size <= maxSelectingPolicies) return locators;
  return sortedBy(locators, (locator) => ageOf(locator, given.get(locator)));
}

/** Marks policies as stale if the controller of their targets may have changed. The controller may depend on all targets above. */
function findManaged({ state, came, changed, gone, stalePolicies }: ChangeInProgress): void {
  const { lookup, policyRefs } = state;
  const starts = [...came, ...changed, ...gone].flatMap((target) => [...positionsOf(target), entryAt(target.object)]);
  const below = new Set<TargetNode>(starts.map(({ node }) => node));
  for (const { node } of spread(starts, positionsAfter)) below.add(node);
  for (const target of below) {
    for (const policy of policyRefs.get(target as Target)?.keys() ?? []) stalePolicies.add(policy);
    for (const who of lookup.dependents(target.object.locator))
      if (!(who instanceof Target)) stalePolicies.add(who.locator);
  }
}

function renewPolicy(change: ChangeInProgress, locator: string): void {
  const { state } = change;
  const oldPolicy = state.policies.get(locator);
  const resource = state.counting(locator);
  const kind = resource && state.kinds.of(resource)?.policy;
  if (resource === undefined || kind === undefined) {
    if (oldPolicy !== undefined) removePolicy(change, oldPolicy);
    return;
  }
  const policy: AttachedPolicy = oldPolicy ?? {
    locator,
    asked: [],
    node: { locator, resource, kind, attachments: [] },
  };
  const issues: Issue[] = [];
  const attachments = state.lookup.ask(policy, () => attach(state, policy, resource, kind, issues));
  change.setIssues('policies', locator, issues);
  if (
    oldPolicy !== undefined &&
    oldPolicy.node.resource === resource &&
    isSameList(oldPolicy.node.attachments, attachments, isSame)
  )
    return;
  const node: PolicyNode = { locator, resource, kind, attachments };
  change.policies.set(locator, { was: oldPolicy?.node, now: node });
  renewAttached(change, oldPolicy?.node, node);
  policy.node = node;
  state.policies.set(locator, policy);
  if (oldPolicy !== undefined) return;
  getOrInsert(state.policiesByKind, groupKindKey(kind), () => new Named<AttachedPolicy>()).set(locator, policy);
}

function removePolicy(change: ChangeInProgress, policy: AttachedPolicy): void {
  const { state } = change;
  const { locator, node } = policy;
  state.lookup.forget(policy);
  state.crowds.admit(policy, node.resource, []);
  state.policies.delete(locator);
  state.policiesByKind.get(groupKindKey(node.kind))?.delete(locator);
  change.setIssues('policies', locator, []);
  change.policies.set(locator, { was: node, now: undefined });
  renewAttached(change, node, undefined);
}

function isSame(attachment: Attachment, current: Attachment): boolean {
  return (
    attachment.outcome === current.outcome &&
    attachment.target === current.target &&
    attachment.message === current.message &&
    attachment.via === current.via &&
    attachment.declared.pointer === current.declared.pointer &&
    attachment.consumerNamespace === current.consumerNamespace
  );
}

/** Updates the lists of attached policies of targets. */
function renewAttached(change: ChangeInProgress, was: PolicyNode | undefined, current: PolicyNode | undefined): void {
  const { attached } = change.state;
  const [previousTargets, currentTargets] = [targetsOf(was), targetsOf(current)];
  for (const target of previousTargets.size === 0 ? currentTargets : new Set([...previousTargets, ...currentTargets])) {
    const nodes = attachedWith(attached.get(target) ?? [], was, currentTargets.has(target) ? current : undefined);
    if (nodes.length > 0) attached.set(target, nodes);
    else attached.delete(target);
    if (previousTargets.has(target) === currentTargets.has(target) || change.isNew(target)) continue;
    if (change.state.holds(target)) change.changed.add(target);
  }
}

/** Returns a list of policies in the order of their locators, with or without one of them. O(n). */
function attachedWith(
  policies: readonly PolicyNode[],
  was: PolicyNode | undefined,
  current: PolicyNode | undefined,
): readonly PolicyNode[] {
  const locator = (was ?? current)?.locator ?? '';
  let low = 0;
  for (let high = policies.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((policies[middle] as PolicyNode).locator < locator) low = middle + 1;
    else high = middle;
  }
  const isThere = policies[low]?.locator === locator;
  if (!isThere && current === undefined) return policies;
  return current === undefined ? policies.toSpliced(low, 1) : policies.toSpliced(low, Number(isThere), current);
}

function targetsOf(policy: PolicyNode | undefined): ReadonlySet<Target> {
  if (policy === undefined) return emptySet;
  const targets = new Set<Target>();
  for (const { target } of policy.attachments) if (target !== undefined) targets.add(target as Target);
  return targets;
}
