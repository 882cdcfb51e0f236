import { attach } from './attach.ts';
import type { Attachment, PolicyNode } from './attachment.ts';
import type { ChangeRecord } from './change-record.ts';
import { entryAt, positionsAfter, positionsOf } from './position.ts';
import type { Target } from './target.ts';
import { byLocator, type TargetNode } from './target-node.ts';
import { spread } from './traversal.ts';
import type { AttachedPolicy, World } from './world.ts';

/** Attaches anew all policies that are stale. */
export function renewPolicies(world: World, record: ChangeRecord): void {
  if (world.kinds.hasManagers) findManaged(world, record);
  for (const locator of record.stalePolicies) renewPolicy(world, locator, record);
}

/** Who manages a target may depend on all that is above it. */
function findManaged({ lookup, named }: World, { came, changed, gone, stalePolicies }: ChangeRecord): void {
  const starts = [...came, ...changed, ...gone].flatMap((target) => [...positionsOf(target), entryAt(target.object)]);
  const beneath = new Set<TargetNode>(starts.map(({ node }) => node));
  for (const { node } of spread(starts, positionsAfter)) beneath.add(node);
  for (const target of beneath) {
    for (const { policy } of named.get(target as Target) ?? []) stalePolicies.add(policy);
    for (const who of lookup.dependents(target.object.locator)) if ('node' in who) stalePolicies.add(who.locator);
  }
}

function renewPolicy(world: World, locator: string, record: ChangeRecord): void {
  const known = world.policies.get(locator);
  const resource = world.given.get(locator);
  const kind = resource && world.kinds.of(resource)?.policy;
  if (resource === undefined || kind === undefined) {
    if (known !== undefined) removePolicy(world, known, record);
    return;
  }
  const policy: AttachedPolicy = known ?? { locator, asked: [], node: { locator, resource, kind, attachments: [] } };
  const { attachments, issues } = world.lookup.ask(policy, () => attach(world, locator, resource, kind));
  record.report(world.issues.set('policies', locator, issues));
  if (known !== undefined && known.node.resource === resource && isSame(known.node.attachments, attachments)) return;
  const node: PolicyNode = { locator, resource, kind, attachments };
  record.policies.set(locator, { was: known?.node, now: node });
  renewAttached(world, known?.node, node, record);
  policy.node = node;
  world.policies.set(locator, policy);
  if (known === undefined) world.policiesByKind.add(kind, policy);
}

function removePolicy(world: World, policy: AttachedPolicy, record: ChangeRecord): void {
  const { locator, node } = policy;
  world.lookup.forget(policy);
  world.policies.delete(locator);
  world.policiesByKind.remove(node.kind, policy);
  record.report(world.issues.set('policies', locator, []));
  record.policies.set(locator, { was: node, now: undefined });
  renewAttached(world, node, undefined, record);
}

function isSame(before: readonly Attachment[], now: readonly Attachment[]): boolean {
  return (
    before.length === now.length &&
    before.every((old, index) => {
      const young = now[index] as Attachment;
      return (
        old.outcome === young.outcome &&
        old.target === young.target &&
        old.message === young.message &&
        old.via === young.via &&
        old.declared.pointer === young.declared.pointer &&
        old.consumerNamespace === young.consumerNamespace
      );
    })
  );
}

/** The other way round: what is attached to each target. */
function renewAttached(
  world: World,
  was: PolicyNode | undefined,
  now: PolicyNode | undefined,
  record: ChangeRecord,
): void {
  const { attached } = world;
  const [before, after] = [targetsOf(was), targetsOf(now)];
  for (const target of before.size === 0 ? after : new Set([...before, ...after])) {
    const there = (attached.get(target) ?? []).filter((policy) => policy !== was);
    if (now !== undefined && after.has(target)) there.push(now);
    if (there.length > 0) attached.set(target, there.sort(byLocator));
    else attached.delete(target);
    if (before.has(target) === after.has(target) || record.isNew(target)) continue;
    if (world.holds(target)) record.changed.add(target);
  }
}

const none: ReadonlySet<Target> = new Set();

function targetsOf(policy: PolicyNode | undefined): ReadonlySet<Target> {
  if (policy === undefined) return none;
  const targets = new Set<Target>();
  for (const { target } of policy.attachments) if (target !== undefined) targets.add(target as Target);
  return targets;
}
