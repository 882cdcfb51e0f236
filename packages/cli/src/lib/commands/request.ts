import { type RequestTrace, traceRequest } from '@policy-machinery/gateway-api';
import type { Row } from '@policy-machinery/text';
import { formatPath, formatTarget, type Path } from '@policy-machinery/topology';
import { effectiveBlocks, effectiveDocument, fieldsFor } from '../answers/fields.ts';
import { metPolicies } from '../answers/met-policies.ts';
import { commonExpressions } from '../answers/regular-expressions.ts';
import { tracesMeant } from '../answers/request-traces.ts';
import type { Answer, Block, Section } from '../frame/answer.ts';
import type { Request } from '../frame/command.ts';
import type { World } from '../input/world.ts';
import { findTarget } from '../names/find.ts';
import { parseUrl, type WrittenRequest } from '../names/parse-url.ts';

/** Answers which rule takes a request, and which policies the request meets. */
export function answer(world: World, { args: [url = ''], options, colors }: Request): Answer {
  const written = parseUrl(url, options);
  const { gateway: name, client } = options;
  const gateway = name === undefined ? undefined : findTarget(world, ['gateway', name]).item;
  const traces = traceRequest(world.topology, written.request, {
    regularExpression: commonExpressions(),
    ...(gateway === undefined ? {} : { gateway }),
    ...(client === undefined ? {} : { client }),
  });
  const meant = tracesMeant(traces, written);
  const isTaken = meant.some(({ winner }) => winner !== undefined);
  return {
    document: { kind: 'RequestAnswer', answers: meant.map((trace) => documentOf(world, trace)) },
    sections: meant.map((trace) => sectionOf(world, trace, colors)),
    notes: meant.length > 0 ? [] : [noListener(written, traces)],
    exitCode: isTaken ? 0 : 1,
  };
}

function noListener({ request: { host, port }, usualPort }: WrittenRequest, traces: readonly RequestTrace[]): string {
  const ports = [...new Set(traces.map((trace) => trace.port))].sort((a, b) => a - b);
  const where = ports.length === 0 ? 'there is no listener at all' : `there are listeners at ${ports.join(', ')}`;
  return `Nothing listens for ${host} at port ${port ?? usualPort}; ${where}.`;
}

function sectionOf(world: World, trace: RequestTrace, colors: Request['colors']): Section {
  const { entry, port, winner, lost, undecided, unmatched } = trace;
  const heading = `${formatTarget(entry)} port ${port}`;
  const routes: Row[] = [
    ...undecided.map(({ route, rule, pointer }) => [
      formatTarget(rule ?? route),
      `depends on the regular expression at ${pointer}`,
    ]),
    ...lost.map(({ route, rule, lostBy }) => [formatTarget(rule ?? route), `matches, but loses by: ${lostBy}`]),
    ...(winner === undefined
      ? unmatched.map(({ route, rule, reason, pointer }) => [
          formatTarget(rule ?? route),
          `does not match: ${reason}${pointer === '' ? '' : ` at ${pointer}`}`,
        ])
      : []),
  ];
  const columns = ['ROUTE', 'WHY'].map((name) => ({ name }));
  return {
    heading,
    blocks: [
      ...(winner === undefined
        ? [{ lines: [nothingTakes(trace)], indent: 2 }]
        : [...winner.paths].flatMap((path) => pathBlocks(world, path, colors))),
      ...(routes.length === 0
        ? []
        : [
            { lines: ['Not taken by'], indent: 2 },
            { table: { layout: 'detail', columns, rows: routes }, indent: 4 } as const,
          ]),
    ],
  };
}

function nothingTakes({ listener, entry }: RequestTrace): string {
  if (listener === undefined) return 'No listener takes the host.';
  return entry.ref.kind === 'Gateway'
    ? `No route takes the request at ${formatTarget(listener)}: status 404.`
    : 'No route takes the request.';
}

function pathBlocks({ views }: World, path: Path, colors: Request['colors']): readonly Block[] {
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
    ...(met.length > 0 ? met : [{ lines: ['meets no policy'], indent: 4 }]),
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
    undecided: undecided.map(({ route, rule, pointer }) => ({ route: (rule ?? route).ref, pointer })),
  };
}
