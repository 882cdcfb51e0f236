import {
  Gateway,
  GRPCRoute,
  HTTPRoute,
  intersectHostnames,
  ListenerSet,
  type RequestTrace,
  TCPRoute,
  TLSRoute,
  traceRequest,
  UDPRoute,
  type UnknownFact,
} from '@policy-machinery/gateway-api';
import { specOf } from '@policy-machinery/resource';
import { formatPath, formatRef, formatTarget, type Path, type TargetNode } from '@policy-machinery/topology';
import { effectiveDocument } from '../answers/effective-document.ts';
import { effectiveBlocks, fieldsFor } from '../answers/fields.ts';
import { isInScope, scopeText } from '../answers/in-scope.ts';
import { metPolicies } from '../answers/met-policies.ts';
import { commonExpressions } from '../answers/regular-expressions.ts';
import { tracesMeant } from '../answers/request-traces.ts';
import { assumedLocators } from '../input/assumed-gateways.ts';
import { inThisInput } from '../input/completeness.ts';
import type { Answer, Block, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';
import { parseUrl, type WrittenRequest } from '../names/parse-url.ts';
import { notProgrammed } from '../statuses/not-programmed.ts';
import { assumptionNote, requestAssumptions, requestDoubts } from '../verifying/request-doubts.ts';

/** Answers which rule takes a request, and which policies the request meets. */
export function answer(world: World, { args: [url = ''], options, colors }: Request): Answer {
  const written = parseUrl(url, options);
  const { gateway: name, client } = options;
  const gateway = name === undefined ? undefined : findTarget(world, ['gateway', name]).item;
  const traces = traceRequest(world.topology, written.request, {
    regularExpression: commonExpressions(),
    regularExpressionPaths: 'both',
    ...(gateway === undefined ? {} : { gateway }),
    ...(client === undefined ? {} : { client }),
  });
  const all = tracesMeant(traces, written);
  const meant = all.filter(({ winner }) => winner === undefined || isInScope(world.scope, winner.route.ref.namespace));
  const elsewhere = all.length - meant.length;
  const taking = meant.filter(({ winner }) => winner !== undefined);
  const isTaken = taking.length > 0;
  const notKnown = requestDoubts(world, written.request, all, gateway?.locator);
  const assumes = isTaken ? requestAssumptions(world, viewsMet(world, taking)) : [];
  const sectionsFor = (some: readonly RequestTrace[]) =>
    some.map((trace) => sectionOf(world, trace, notKnown.length > 0, colors));
  return {
    document: {
      kind: 'RequestAnswer',
      answers: meant.map((trace) => documentOf(world, trace)),
      ...(notKnown.length > 0 && { notKnown }),
      ...(assumes.length > 0 && { assumes }),
    },
    isFitted: true,
    sections: sectionsFor(isTaken ? taking : meant.slice(0, mostShown)),
    notes: [
      ...(all.length > 0 ? [] : [noListener(written, world)]),
      ...(elsewhere === 0
        ? []
        : [
            `Routes of other namespaces take the request${isTaken ? ' as well' : `, and none${scopeText(world.scope)}`}.`,
          ]),
      ...(isTaken ? [] : refusedNotes(world, meant, written.request)),
      ...passedOver(world, meant, isTaken ? taking.length : mostShown),
      ...unprogrammedNotes(world, taking),
      ...doubtNotes(notKnown),
      ...assumes.map(assumptionNote),
      ...meshNotes(world, options),
    ],
    exitCode: isTaken || elsewhere > 0 ? 0 : 1,
  };
}

/** Returns the views with policies that a request meets. */
function viewsMet({ views }: World, taking: readonly RequestTrace[]): World['views'] {
  const paths = taking.flatMap(({ winner }) => [...(winner?.paths ?? [])]);
  return views.filter((view) => paths.some((path) => metPolicies(view, path).length > 0));
}

/** How many refusals are named. */
const mostRefusals = 3;

/** Names the routes that would take the host of a request, and that a listener refuses, with its reason. */
function refusedNotes(
  { topology, unrendered }: World,
  traces: readonly RequestTrace[],
  { host = '' }: WrittenRequest['request'],
): readonly string[] {
  const entries = new Set(traces.map(({ entry }) => entry));
  const refusals = topology.refused.flatMap(({ from, to, message, isUndecided }) => {
    const end = topology.get(to);
    const { hostnames } = specOf(from.resource);
    const isMeant =
      !isUndecided &&
      end !== undefined &&
      entries.has(end.object) &&
      [from, end].every(({ object }) => unrendered.changeOf(object.locator) === undefined) &&
      routeKinds.some(({ kind }) => kind === from.ref.kind);
    if (!isMeant || intersectHostnames(host.replace(/:\d+$/, ''), hostnames).length === 0) return [];
    return [`${formatTarget(end)} refuses ${formatTarget(from.object)}: ${message}.`];
  });
  const more = refusals.length - mostRefusals;
  return [...refusals.slice(0, mostRefusals), ...(more > 0 ? [`and ${more} more refusals.`] : [])];
}

/** Says which Gateways and Services do not take a request, if these are not shown. */
function passedOver(world: World, meant: readonly RequestTrace[], shown: number): readonly string[] {
  const others = meant
    .filter((trace) => trace.winner === undefined && rivalsOf(trace).length === 0)
    .map(({ entry, port }) => `${formatTarget(entry)} port ${port}`);
  const left = shown === mostShown ? others.slice(mostShown) : others;
  return left.length === 0 ? [] : [`Nothing${inThisInput(world, routeKinds)} takes the request at ${firstOf(left)}.`];
}

/** Says which Gateways and listeners on the way of a request are not programmed. */
function unprogrammedNotes({ ignoreStatus }: World, taking: readonly RequestTrace[]): readonly string[] {
  const passed = taking.flatMap(({ entry, listener }) => [entry, ...(listener === undefined ? [] : [listener])]);
  const found = ignoreStatus ? [] : notProgrammed(new Set(passed));
  return found.map(({ target, message }) => `${formatTarget(target)} may not take requests: ${message}`);
}

/** How many things that are not known are named. */
const mostDoubts = 3;

/** Names the unknown facts that the answer depends on. */
function doubtNotes(doubts: readonly string[]): readonly string[] {
  const more = doubts.length - mostDoubts;
  return [
    ...doubts.slice(0, mostDoubts).map((it) => `Undecided: ${it}.`),
    ...(more > 0
      ? [`Undecided: ${more} more things that the answer depends on are not known; -o json names them.`]
      : []),
  ];
}

/** Says which policies a request inside a mesh may meet that are not looked at. */
function meshNotes({ topology, views }: World, { client }: Request['options']): readonly string[] {
  const kinds = views.filter(({ effective }) => effective.topology !== topology).map(({ found }) => found.kind.kind);
  if (client === undefined || kinds.length === 0) return [];
  const named = firstOf([...new Set(kinds)], 6);
  return [
    `Policies of the mesh (${named}) are not considered for requests inside the mesh; explain the Service or the workload.`,
  ];
}

function noListener({ request, usualPort }: WrittenRequest, world: World): string {
  const { port, ...atAnyPort } = request;
  const assumed = assumedLocators(world.assumed);
  const declared = traceRequest(world.topology, atAnyPort).filter(({ entry }) => !assumed.has(entry.locator));
  const ports = [...new Set(declared.map((trace) => trace.port))].sort((a, b) => a - b);
  const unseen = world.assumed.map(({ object: { kind, metadata } }) => formatRef({ kind, ...metadata }));
  const where = [
    ...(ports.length > 0 ? [`there are listeners at ${ports.join(', ')}`] : []),
    ...(unseen.length > 0 ? [`the listeners of ${firstOf(unseen)} are not in this input`] : []),
  ];
  const reason = where.length > 0 ? `; ${where.join(', and ')}` : '';
  return `Nothing${inThisInput(world, [Gateway, ListenerSet])} listens for ${request.host} at port ${port ?? usualPort}${reason}.`;
}

/** How many routes that do not take a request are shown one by one. `-o json` has all. */
const mostShown = 5;

function sectionOf(world: World, trace: RequestTrace, isOpen: boolean, colors: Request['colors']): Section {
  const { entry, port, winner } = trace;
  const others = othersOf(trace);
  const rivals = tableOf(rivalsOf(trace).slice(0, mostShown), otherColumns, { layout: 'detail' });
  const blocks: readonly Block[] =
    winner === undefined
      ? [{ lines: [nothingTakes(world, trace)], indent: 2 }]
      : [...winner.paths].flatMap((path) => pathBlocks(world, path, isOpen, colors));
  const shown = tableOf(others.slice(0, mostShown), otherColumns, { layout: 'detail' });
  const rest = others.slice(mostShown);
  return {
    heading: `${formatTarget(entry)} port ${port}`,
    blocks: [
      ...blocks,
      ...(rivals.rows.length === 0
        ? []
        : [
            { lines: ['May be taken by'], indent: 2 },
            { table: rivals, indent: 4 },
          ]),
      ...(others.length === 0 ? [] : [{ lines: ['Not taken by'], indent: 2 }]),
      ...(shown.rows.length === 0 ? [] : [{ table: shown, indent: 4 }]),
      ...(rest.length === 0 ? [] : [{ lines: [summedUp(rest)], indent: 4 }]),
    ],
  };
}

/** A route or a rule that does not take a request. */
interface Other {
  readonly target: TargetNode;
  readonly why: string;
  /** Where in the route the reason is, as the end of a clause; empty for the route. */
  readonly at: string;
}

const otherColumns: readonly ColumnOf<Other>[] = [
  { name: 'ROUTE', cell: ({ target }) => formatTarget(target) },
  { name: 'WHY', cell: ({ why, at }) => `${why}${at}` },
];

/**
 * Returns the rules that may take a request in place of the winner. Regular expressions are listed with the others:
 * engines differ in few of them.
 */
function rivalsOf({ undecided }: RequestTrace): readonly Other[] {
  return undecided.flatMap(({ route, rule, dependsOn, lostBy }) =>
    dependsOn === 'regular expression' || lostBy !== undefined
      ? []
      : { target: rule ?? route, why: unknowns[dependsOn], at: '' },
  );
}

/**
 * Returns the rules that do not take a request: rules that may take it first, then rules that lose; rules that do not
 * match only if nothing takes the request.
 */
function othersOf({ winner, lost, undecided, unmatched }: RequestTrace): readonly Other[] {
  const atPointer = (pointer: string) => (pointer === '' ? '' : ` at ${pointer}`);
  return [
    ...undecided.flatMap(({ route, rule, dependsOn, pointer, lostBy }) => {
      const target = rule ?? route;
      if (dependsOn === 'regular expression') {
        return { target, why: 'depends on the regular expression', at: atPointer(pointer) };
      }
      return lostBy === undefined ? [] : { target, why: `may match, but loses by: ${lostBy}`, at: '' };
    }),
    ...lost.map(({ route, rule, lostBy }) => ({
      target: rule ?? route,
      why: `matches, but loses by: ${lostBy}`,
      at: '',
    })),
    ...(winner === undefined ? unmatched : []).map(({ route, rule, reason, pointer }) => {
      return { target: rule ?? route, why: `does not match: ${reason}`, at: atPointer(pointer) };
    }),
  ];
}

/** Why it is undecided whether a match takes a request. */
const unknowns: Readonly<Record<Exclude<UnknownFact, 'regular expression'>, string>> = {
  'adjacent slashes': 'whether it matches depends on how the data plane reads adjacent slashes',
  'missing certificate':
    'a listener of its port may lack its certificate, and another one with the same hostname may take the request then',
  'missing tls': 'a listener for HTTPS does not have tls, and the data plane may refuse that',
  'shared hostname': 'the listener may refuse it, because another kind of route has the same hostname',
  'hostname precedence':
    'whether the more specific hostname of a route decides, or only its overlap with the listener, depends on the data plane',
  'listener isolation':
    'the request arrives at a listener with a more specific hostname, and whether the data plane isolates its listeners is not known',
  age: 'the older route takes the request, and the ages of the routes are not known',
  'precedence of kinds': 'whether it precedes a match of the other kind of route depends on the data plane',
};

/** Sums up the rows that are not shown, by reason: `and 994 more: 940 of which do not match: path, …`. */
function summedUp(others: readonly Other[]): string {
  const counts = new Map<string, number>();
  for (const { why } of others) counts.set(why, (counts.get(why) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([why, count]) => `${count} ${why}`);
  return `and ${others.length} more: ${reasons.join('; ')}`;
}

const routeKinds = [HTTPRoute, GRPCRoute, TLSRoute, TCPRoute, UDPRoute];

function nothingTakes(world: World, trace: RequestTrace): string {
  const { listener, entry } = trace;
  if (listener === undefined) return `No listener${inThisInput(world, [ListenerSet])} takes the host.`;
  if (rivalsOf(trace).length > 0) return `Whether a route takes the request at ${formatTarget(listener)} is undecided.`;
  const where = inThisInput(world, routeKinds);
  if (entry.ref.kind !== 'Gateway') return `No route${where} takes the request.`;
  return `No route${where} takes the request at ${formatTarget(listener)}${where === '' ? ': status 404' : ''}.`;
}

function pathBlocks({ views }: World, path: Path, isOpen: boolean, colors: Request['colors']): readonly Block[] {
  const met = views.flatMap((view) =>
    metPolicies(view, path).flatMap((policy) => {
      const fields = fieldsFor(policy.fields, view);
      const [, ...fieldBlocks] = effectiveBlocks(view, policy, fields, colors);
      const unmerged = view.found.merging === 'known' ? '' : ', not merged';
      return [
        { lines: [`${view.found.kind.kind} for ${formatTarget(policy.target)}${unmerged}`], indent: 4 },
        ...fieldBlocks.map((block) => ({ ...block, indent: 6 })),
      ];
    }),
  );
  return [
    { lines: [formatPath(path)], indent: 2 },
    ...(met.length > 0 ? met : [{ lines: [isOpen ? 'is not known to meet a policy' : 'meets no policy'], indent: 4 }]),
  ];
}

function documentOf({ views }: World, { entry, port, listener, winner, lost, undecided }: RequestTrace): object {
  return {
    entry: entry.ref,
    port,
    ...(listener === undefined ? {} : { listener: listener.ref }),
    ...(winner === undefined
      ? {}
      : {
          takenBy: (winner.rule ?? winner.route).ref,
          paths: [...winner.paths].map((path) => ({
            path: formatPath(path),
            effective: views.flatMap((view) =>
              metPolicies(view, path).map((policy) => effectiveDocument(view, policy, fieldsFor(policy.fields, view))),
            ),
          })),
        }),
    lost: lost.map(({ route, rule, lostBy }) => ({ route: (rule ?? route).ref, lostBy })),
    undecided: undecided.map(({ route, rule, dependsOn, pointer, lostBy }) => {
      return { route: (rule ?? route).ref, dependsOn, pointer, ...(lostBy && { lostBy }) };
    }),
  };
}
