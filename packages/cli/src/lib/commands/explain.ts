import { possibleAttachments } from '@policy-machinery/guarantees/inner';
import { groupedBy } from '@policy-machinery/resource/inner';
import { formatRef, formatTarget, type TargetNode } from '@policy-machinery/topology';
import { effectiveDocument } from '../answers/effective-document.ts';
import { effectiveBlocks, fieldsFor } from '../answers/fields.ts';
import { isInScope, scopeText } from '../answers/in-scope.ts';
import { declaredTargets, notMerged, type PolicyState } from '../answers/policy-state.ts';
import { type RouteAbove, routesAbove } from '../answers/routes-above.ts';
import { outcomeCell } from '../answers/tones.ts';
import { reachedStates } from '../answers/unreached.ts';
import { lacksPods, podsOf } from '../answers/workloads.ts';
import { placesOf } from '../changes/one-screen.ts';
import { inThisInput } from '../input/completeness.ts';
import { targetIn } from '../input/topologies.ts';
import type { Answer, Block, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { UsageError } from '../model/usage-error.ts';
import type { PolicyView, World } from '../model/world.ts';
import { findTarget, isPolicyNamed } from '../names/find.ts';
import { notProgrammed } from '../statuses/not-programmed.ts';
import { outcomeNotes } from '../verifying/request-doubts.ts';
import { answer as answerReach } from './reach.ts';
import { answer as answerRequest } from './request.ts';

/**
 * Returns the policies that apply to a target, and to the Pods of a Service or workload: for each path, each field with
 * its origin, the losses and their reasons.
 */
export function answer(world: World, request: Request): Answer {
  const { args } = request;
  if (/^[a-z]+:\/\//i.test(args[0] ?? '')) return answerRequest(world, request);
  return isPolicyNamed(world, args) ? answerReach(world, request) : answerTarget(world, request);
}

function answerTarget(world: World, { args, colors, programName }: Request): Answer {
  const { item: target, rest } = findTarget(world, args);
  const pointer = pointerIn(rest);
  const isMeant = ({ ref }: TargetNode) => isInScope(world.scope, ref.namespace);
  const targets = [target, ...podsOf(world, target)];
  const explained = targets
    .flatMap((meant) => world.views.flatMap((view) => explanationsOf(view, meant, pointer)))
    .filter(({ policy }) => isMeant(policy.target));
  const { here, above, possible } = ineffectiveAt(world, targets);
  const inactive = [...here, ...above, ...possible];
  const unknown = [...new Set(explained.map(({ view }) => view))].filter(({ found }) => found.merging === 'unknown');
  const routes = routesAbove(world, targetAndParts(target)).filter(({ route }) => isMeant(route));
  const effective = sectionsOf(explained, colors);
  const others = [
    ...routeSections(routes),
    ...withoutEffectSections('Attached', here, colors),
    ...withoutEffectSections('Attached above', above, colors),
    ...sectionWith('Undecided whether attached', possible, colors),
  ];
  const views = [...explained, ...inactive].map(({ view }) => view);
  return {
    document: {
      kind: 'Explanation',
      target: target.ref,
      ...(pointer === '' ? {} : { pointer }),
      effective: explained.map(({ view, policy, fields }) => effectiveDocument(view, policy, fields)),
      ...(routes.length === 0 ? {} : { routes: routes.map(routeDocument) }),
      withoutEffect: inactive.map(ineffectiveDocument),
    },
    isFitted: true,
    sections: [...effective.map(({ section }) => section), ...others],
    onTerminal: [...differencesFirst(effective), ...others],
    notes: [
      ...(explained.length > 0 || inactive.some(isUndecided)
        ? []
        : [unaffectedNote(world, target, pointer, routes.length > 0)]),
      ...outcomeNotes(world, views),
      ...podNotes(world, target),
      ...unprogrammedNotes(world, target),
      ...unknown.map((view) => `${notMerged(view)} "${programName} kinds --help" shows how.`),
    ],
  };
}

function ineffectiveDocument({ policy, ref, outcome, message }: PolicyState): object {
  return { policy: ref, targets: declaredTargets(policy), outcome, message };
}

/** Returns the policies without effect that are attached to some targets, those that are attached above, and those that may be attached. */
function ineffectiveAt(world: World, targets: readonly TargetNode[]) {
  const parts = targets.flatMap(targetAndParts);
  const over = targets.flatMap((target) => targetsAbove(world, target));
  const passed = new Set([...parts, ...over].map(({ locator }) => locator));
  const possible = world.topologies.flatMap(possibleAttachments).filter(({ target }) => passed.has(target.locator));
  const here = withoutEffect(world, attachedTo(world, parts));
  const above = withoutEffect(world, attachedTo(world, over)).filter((state) =>
    here.every((it) => it.policy !== state.policy),
  );
  return { here, above, possible: withoutEffect(world, new Set(possible.map(({ policy }) => policy.locator))) };
}

function unaffectedNote(world: World, target: TargetNode, pointer: string, hasRoutes: boolean): string {
  const verb = pointer === '' ? 'affects' : `sets ${pointer} of`;
  const limits = world.unrendered.signs.length === 0 ? '' : ', as far as the files are rendered';
  const object = `${formatTarget(target)}${hasRoutes || lacksPods(world, target) ? ' itself' : ''}`;
  return `No policy${inThisInput(world)} ${verb} ${object}${scopeText(world.scope)}${limits}.`;
}

function podNotes(world: World, target: TargetNode): readonly string[] {
  if (!lacksPods(world, target)) return [];
  return [`Whether policies affect Pods of ${formatTarget(target)} is not known, because they are not in this input.`];
}

/** Says which routes lead to the target, and which policies requests meet there. */
function routeSections(routes: readonly RouteAbove[]): readonly Section[] {
  if (routes.length === 0) return [];
  const table = tableOf(routes, routeColumns, { layout: 'detail' });
  return [{ heading: 'Requests meet policies of the routes above', blocks: [{ table, indent: 2 }] }];
}

const routeColumns: readonly ColumnOf<RouteAbove>[] = [
  { name: 'ROUTE', cell: ({ route }) => formatTarget(route) },
  {
    name: 'POLICIES',
    cell: ({ met }) => met.map(({ view, policies }) => `${view.found.kind.kind} ${firstOf(policies)}`).join('; '),
  },
];

function routeDocument({ route, met }: RouteAbove): object {
  return {
    route: route.ref,
    policies: met.flatMap(({ view: { found }, policies }) =>
      policies.map((name) => ({ group: found.kind.group, kind: found.kind.kind, name })),
    ),
  };
}

/** Says which Gateways and listeners above a target, or the target itself, are not programmed. */
function unprogrammedNotes(world: World, target: TargetNode): readonly string[] {
  const { topology, ignoreStatus } = world;
  const node = topology.get(target.locator);
  if (ignoreStatus || node === undefined) return [];
  const found = notProgrammed(new Set([node, ...targetsAbove(world, target)]));
  return found.map(({ target: there, message }) => `${formatTarget(there)} may not take requests: ${message}`);
}

function pointerIn([pointer = '', ...more]: readonly string[]): string {
  if (more.length === 0 && (pointer === '' || pointer.startsWith('/'))) return pointer;
  throw new UsageError(`"${[pointer, ...more].join(' ')}" is not a JSON Pointer; write /request, or /limits/per-user`);
}

function explanationsOf(view: PolicyView, target: TargetNode, pointer: string) {
  const isMerged = view.found.merging === 'known';
  const explained = (meant: TargetNode) => {
    const node = targetIn(view, meant);
    return node === undefined ? [] : view.effective.explain(node, isMerged ? pointer : '').effective;
  };
  const own = explained(target);
  // A kind that affects whole objects affects their sections too.
  const all =
    own.length > 0 || target.section === undefined ? own : explained(target.object).filter(isOf(target.object));
  return all
    .map(({ policy, fields }) => ({ view, policy, fields: fieldsFor(fields, view, pointer) }))
    .filter(({ fields }) => fields.length > 0);
}

function isOf(object: TargetNode) {
  return ({ policy }: { readonly policy: { readonly target: TargetNode } }) => policy.target.locator === object.locator;
}

/** Returns a target with its object, and an object with its sections. */
function targetAndParts(target: TargetNode): readonly TargetNode[] {
  return [target.object, ...(target.section === undefined ? target.sections : [target])];
}

function targetsAbove({ topologies }: World, target: TargetNode): readonly TargetNode[] {
  const own = new Set(targetAndParts(target).map(({ locator }) => locator));
  return topologies.flatMap((topology) => {
    const nodes = [...own].flatMap((locator) => topology.get(locator) ?? []);
    const above = new Set(nodes.flatMap((node) => [...topology.ancestors(node)]));
    return [...above].filter(({ locator }) => !own.has(locator));
  });
}

/** Returns the locators of the policies that are attached to some targets. */
function attachedTo({ topologies }: World, targets: readonly TargetNode[]): ReadonlySet<string> {
  const attached = topologies.flatMap((topology) =>
    targets.flatMap(({ locator }) => {
      const node = topology.get(locator);
      return node === undefined ? [] : topology.policiesAt(node);
    }),
  );
  return new Set(attached.map(({ locator }) => locator));
}

/** Returns the outcomes of policies that are not in force anywhere. */
function withoutEffect(world: World, locators: ReadonlySet<string>): readonly PolicyState[] {
  return world.views.flatMap((view) => {
    const only = new Set([...locators].filter((locator) => view.effective.policy(locator) !== undefined));
    if (only.size === 0) return [];
    return reachedStates(world, [view], only).filter(({ outcome }) => !inForce.has(outcome));
  });
}

const inForce: ReadonlySet<string> = new Set([
  'enforced',
  'partly-enforced',
  'overridden',
  'not-merged',
  'not-rendered',
]);

/** @param place Where the policies are attached, as the beginning of a heading. */
function withoutEffectSections(
  place: string,
  states: readonly PolicyState[],
  colors: Request['colors'],
): readonly Section[] {
  return [
    ...sectionWith(
      `${place}, but without effect`,
      states.filter((state) => !isUndecided(state)),
      colors,
    ),
    ...sectionWith(`${place}, and undecided`, states.filter(isUndecided), colors),
  ];
}

function isUndecided({ outcome }: PolicyState): boolean {
  return outcome === 'undecided';
}

function sectionWith(heading: string, states: readonly PolicyState[], colors: Request['colors']): readonly Section[] {
  const columns: readonly ColumnOf<PolicyState>[] = [
    { name: 'POLICY', cell: ({ ref }) => formatRef(ref) },
    { name: 'OUTCOME', cell: ({ outcome }) => outcomeCell(outcome, colors) },
    { name: 'REASON', cell: ({ message }) => message },
  ];
  const table = tableOf(states, columns, { layout: 'detail' });
  return states.length === 0 ? [] : [{ heading, blocks: [{ table, indent: 2 }] }];
}

/** Targets with the same effective policies. */
interface TargetGroup {
  readonly targets: readonly TargetNode[];
  readonly hasLosses: boolean;
  readonly section: Section;
}

type Explained = ReturnType<typeof explanationsOf>[number];

/** Groups the targets with the same effective policies. */
function sectionsOf(all: readonly Explained[], colors: Request['colors']): readonly TargetGroup[] {
  const byTarget = groupedBy(all, ({ policy }) => policy.target);
  const groups = new Map<
    string,
    { readonly targets: TargetNode[]; readonly blocks: readonly Block[]; hasLosses: boolean }
  >();
  for (const [target, explained] of byTarget) {
    const blocks = explained.flatMap(({ view, policy, fields }) => effectiveBlocks(view, policy, fields, colors));
    const key = JSON.stringify(blocks);
    const group = groups.get(key);
    const hasLosses = explained.some(({ policy }) => policy.losses.length > 0);
    if (group === undefined) groups.set(key, { targets: [target], blocks, hasLosses });
    else group.targets.push(target);
  }
  return [...groups.values()].map(({ targets, blocks, hasLosses }) => {
    return { targets, hasLosses, section: { heading: namesOf(targets), blocks } };
  });
}

/** How many groups of targets a terminal shows; the others are counted. */
const mostGroups = 8;

/** Returns the groups where a policy loses something first, and the number of others. */
function differencesFirst(groups: readonly TargetGroup[]): readonly Section[] {
  if (groups.length <= mostGroups) return groups.map(({ section }) => section);
  const widest = groups.reduce((most, group) => (group.targets.length > most.targets.length ? group : most));
  const others = groups.filter((group) => group !== widest);
  const sorted = [...others.filter(({ hasLosses }) => hasLosses), ...others.filter(({ hasLosses }) => !hasLosses)];
  const rest = sorted.slice(mostGroups - 1).flatMap(({ targets }) => targets.map(({ ref }) => ref));
  return [
    ...[...sorted.slice(0, mostGroups - 1), widest].map(({ section }) => section),
    { heading: `and ${placesOf(rest, 'more ')}; -o json has all`, blocks: [] },
  ];
}

/** Returns the names of some targets. Sections of one object share its name: `HTTPRoute shop/cart#pay, #admin`. */
function namesOf(targets: readonly TargetNode[]): string {
  const names = targets.map((target, index) =>
    target.section !== undefined && targets[index - 1]?.object === target.object
      ? `#${target.section.name}`
      : formatTarget(target),
  );
  return firstOf(names, 5);
}
