import { possibleAttachments } from '@policy-machinery/guarantees/inner';
import {
  formatLocator,
  groupKindKey,
  type KubernetesObject,
  matchesSelector,
  parseSelector,
  type ResourceRef,
  refOf,
} from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { ageOf } from '../answers/age.ts';
import { around } from '../answers/around.ts';
import { columnsInScope, isInScope, scopeText } from '../answers/in-scope.ts';
import { declaredTargets, type PolicyState } from '../answers/policy-state.ts';
import { outcomeCell, stateOutcomes } from '../answers/tones.ts';
import { reachedStates } from '../answers/unreached.ts';
import { podsOf } from '../answers/workloads.ts';
import { declaredTargetsOfKind, targetIn } from '../input/topologies.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { UsageError } from '../model/usage-error.ts';
import type { Scope, World } from '../model/world.ts';
import { findObject, kubectlName } from '../names/find.ts';
import { kindNamed, namedKinds } from '../names/named-kinds.ts';
import { parseName, type WrittenName } from '../names/parse-name.ts';
import { outcomeNotes } from '../verifying/request-doubts.ts';

/** Lists policies, or targets of kinds with the policies that affect them. */
export function answer(world: World, request: Request): Answer {
  const { what, name } = askedIn(request.args);
  const words = [...new Set(what.split(','))];
  if (words.length === 1) return listOf(world, request, { what, name });
  if (name !== undefined) throw new UsageError(`name one kind with ${name.name}, or the kinds ${what} without a name`);
  return together(
    words.map((word) => ({ heading: headingFor(world, word), list: listOf(world, request, { what: word, name }) })),
  );
}

const isAnyPolicy = /^polic(y|ies)$/i;

function headingFor(world: World, word: string): string {
  return isAnyPolicy.test(word) ? 'Policies' : kindNamed(word, namedKinds(world)).kind;
}

/** Puts lists of several kinds below each other. */
function together(lists: readonly { readonly heading: string; readonly list: ListAnswer }[]): Answer {
  const shown = lists.filter(({ list }) => list.names.length > 0);
  return {
    document: { kind: 'List', items: lists.flatMap(({ list }) => list.document.items) },
    sections: shown.flatMap(({ heading, list }) => list.sections.map((section) => ({ heading, ...section }))),
    names: lists.flatMap(({ list }) => list.names),
    notes:
      shown.length > 0
        ? [...new Set(shown.flatMap(({ list }) => list.notes))]
        : lists.flatMap(({ list }) => list.notes).slice(0, 1),
  };
}

function listOf(world: World, request: Request, { what, name }: Asked): ListAnswer {
  const scope = name?.namespace === undefined ? world.scope : { namespace: name.namespace };
  const context = { request, name: name?.name, scope, world };
  if (isAnyPolicy.test(what)) {
    const states = reachedStates(world);
    if (name !== undefined) checkIsThere(name, states);
    return policyList(states, context);
  }
  const kind = kindNamed(what, namedKinds(world));
  if (name !== undefined) findObject(world, request.args);
  if (!kind.isPolicy) return targetList(declaredTargetsOfKind(world, kind), context);
  const views = world.views.filter(({ found }) => groupKindKey(found.kind) === groupKindKey(kind));
  return policyList(reachedStates(world, views), context);
}

interface ListAnswer extends Answer {
  readonly document: Answer['document'] & { readonly items: readonly object[] };
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/** The objects to list: policies or the objects of a kind, all of them or those with one name. Several kinds are separated by commas. */
interface Asked {
  readonly what: string;
  readonly name: WrittenName | undefined;
}

function askedIn(args: readonly string[]): Asked {
  const [what = 'policies', ...others] = args;
  if (others.length === 0 && !/[/:\s]/.test(what)) return { what, name: undefined };
  const { name } = parseName(args);
  return { what: name.kind, name };
}

function checkIsThere({ namespace, name }: WrittenName, states: readonly PolicyState[]): void {
  const isMeant = ({ ref }: PolicyState) =>
    ref.name === name && (namespace === undefined || ref.namespace === namespace);
  if (!states.some(isMeant)) throw new UsageError(`no policy is called ${name}${scopeText({ namespace })}`);
}

interface ListContext {
  readonly request: Request;
  /** The only name to list. */
  readonly name: string | undefined;
  readonly scope: Scope;
  readonly world: World;
}

function policyList(states: readonly PolicyState[], context: ListContext): ListAnswer {
  const { colors, now } = context.request;
  const isListed = listed(context);
  const hasOutcome = outcomesOf(context.request);
  const listedStates = states.filter(({ policy: { resource }, ref, outcome }) => {
    return hasOutcome(outcome) && isListed(ref, resource.metadata.labels);
  });
  const columns: readonly ColumnOf<PolicyState>[] = [
    { name: 'NAMESPACE', isNamespace: true, cell: ({ ref }) => ref.namespace ?? '' },
    { name: 'NAME', cell: ({ ref }) => ref.name },
    { name: 'KIND', cell: ({ ref }) => ref.kind },
    { name: 'TARGETS', cell: ({ policy }) => firstOf(declaredTargets(policy)) },
    { name: 'OUTCOME', gone: 'deleted', cell: ({ outcome }) => outcomeCell(outcome, colors) },
    { name: 'AGE', isOptional: true, cell: ({ policy }) => ageOf(policy.resource, now) },
    { name: 'CLASS', isWide: true, cell: ({ view }) => view.found.kind.policyClass },
    { name: 'REASON', isWide: true, cell: ({ message }) => message },
  ];
  return {
    document: {
      kind: 'PolicyList',
      items: listedStates.map(({ policy, ref, outcome, message, view }) => ({
        policy: ref,
        class: view.found.kind.policyClass,
        targets: declaredTargets(policy),
        outcome,
        message,
      })),
    },
    ...listParts(context, { items: listedStates, columns, refOf: ({ ref }) => ref, what: 'policies' }, ({ view }) => [
      view,
    ]),
  };
}

/** Returns a test for the outcomes of `--outcome`. */
function outcomesOf({ options: { outcome: asked = [] } }: Request): (outcome: StateOutcome) => boolean {
  const words = asked.flatMap((each) => each.split(','));
  const unknown = words.find((word) => !stateOutcomes.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(`--outcome ${unknown} is not an outcome; outcomes are ${stateOutcomes.join(', ')}`);
  }
  return (outcome) => words.length === 0 || words.includes(outcome);
}

function targetList(targets: readonly TargetNode[], context: ListContext): ListAnswer {
  const { world } = context;
  const isListed = listed(context);
  const objects = targets.filter(
    ({ section, ref, resource }) => section === undefined && isListed(ref, resource.metadata.labels),
  );
  const possible = possiblyAttached(world);
  const affected = objects.map((target) => {
    const more = possible.flatMap(({ near, ...policy }) => (near.has(target.locator) ? [policy] : []));
    return { target, policies: [...affecting(world, target), ...more] };
  });
  const columns: readonly ColumnOf<(typeof affected)[number]>[] = [
    { name: 'NAMESPACE', isNamespace: true, cell: ({ target }) => target.ref.namespace ?? '' },
    { name: 'NAME', cell: ({ target }) => target.ref.name },
    {
      name: 'POLICIES',
      gone: 'deleted',
      cell: ({ policies }) =>
        firstOf(policies.map(({ kind, name, isUndecided }) => `${kind} ${name}${isUndecided ? ' (undecided)' : ''}`)),
    },
    { name: 'AGE', isOptional: true, cell: ({ target }) => ageOf(target.resource, context.request.now) },
  ];
  return {
    document: { kind: 'TargetList', items: affected.map(({ target, policies }) => ({ target: target.ref, policies })) },
    ...listParts(
      context,
      { items: affected, columns, refOf: ({ target }) => target.ref, what: 'objects' },
      ({ policies }) => world.views.filter(({ found }) => policies.some(({ kind }) => kind === found.kind.kind)),
    ),
  };
}

/** Returns the policies that may be attached, each with the locators of everything that it would affect, or that is above that. */
function possiblyAttached({ topologies }: World) {
  return topologies.flatMap((topology) =>
    [...groupedBy(possibleAttachments(topology), ({ policy }) => policy)].map(([{ kind, resource }, same]) => {
      const { namespace, name } = refOf(resource, kind.scope);
      const places = around(topology, new Set(same.map(({ target }) => target)));
      const near = new Set([...places].map(({ locator }) => locator));
      return { near, kind: kind.kind, name: [namespace, name].filter(Boolean).join('/'), isUndecided: true };
    }),
  );
}

/** Returns the policies that affect a target, something below it or its Pods, by kind. Those that prevail come first. */
function affecting(world: World, target: TargetNode) {
  const targets = [target, ...podsOf(world, target)];
  return world.views.flatMap((view) => {
    const nodes = targets.flatMap((each) => targetIn(view, each) ?? []);
    const policies = nodes.flatMap((node) => view.effective.affecting(node).policies);
    const names = new Set(policies.map(({ policy: { name } }) => name));
    return [...names].map((name) => ({ kind: view.found.kind.kind, name, isUndecided: undefined }));
  });
}

function listed({ request, name, scope }: ListContext) {
  const { selector: text } = request.options;
  const selector = text === undefined ? undefined : parseSelector(text);
  return (ref: ResourceRef, labels: KubernetesObject['metadata']['labels']): boolean =>
    (name === undefined || ref.name === name) &&
    isInScope(scope, ref.namespace) &&
    (selector === undefined || matchesSelector(selector, labels));
}

interface List<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly ColumnOf<Item>[];
  readonly refOf: (item: Item) => ResourceRef;
  /** The name of the items, in the plural. */
  readonly what: string;
}

/** @param viewsOf Returns the views that a row depends on. */
function listParts<Item>(
  { scope, world }: ListContext,
  { items, columns, refOf, what }: List<Item>,
  viewsOf: (item: Item) => World['views'],
): Omit<ListAnswer, 'document'> {
  const table = tableOf(items, columnsInScope(scope, columns), { subject: (item) => formatLocator(refOf(item)) });
  return {
    sections: [{ blocks: items.length > 0 ? [{ table }] : [] }],
    names: items.map((item) => kubectlName(refOf(item))),
    notes: items.length > 0 ? outcomeNotes(world, items.flatMap(viewsOf)) : [`No ${what} found${scopeText(scope)}.`],
  };
}
