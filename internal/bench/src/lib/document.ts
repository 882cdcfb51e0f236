/** The tables of a run. */
export interface Tables {
  readonly bars: string;
  readonly sizes: string;
  readonly changes: string;
  readonly shapes: string;
  readonly attacks: string;
}

/** What `docs/performance.md` says. */
export function performanceDocument({ bars, sizes, changes, shapes, attacks }: Tables): string {
  return `# Performance

What the library costs, as ratios to what \`JSON.parse\` takes for the same resources in the same run: they mean about the same
on any machine. \`pnpm bench\` measures and writes this page; \`pnpm bench --check\` fails when a bar is missed.

R is the reference size of \`internal/workload\`: 200 Gateways with 10 listeners each, 20,000 HTTPRoutes with 3 rules each, 10,000
Services, 50 namespaces and 5,000 policies of two kinds; about 92,000 gateways, listeners, routes, rules and services. All figures
are medians of at least five runs in one process, on a bundle of the sources, after the garbage of the run before was
collected and what was left moved together. Resources come in the order in which an API server lists them: kind by kind, by
namespace and name; in any other a load costs about a twentieth more, for what belongs together does not lie together in memory.
Machines are busy by turns: so all sizes are loaded, and R is changed, by turns as well, five times. The figures are those of
a process that is running: the first third of the changes of a turn is not counted, and a small cluster stays loaded meanwhile,
lest the engine throw away the code that it has made fast. In a process that has just begun, the first load takes longer.

## Bars

${bars}

## By size

Clusters of the same mix. Times are multiples of \`JSON.parse\` of the same resources; memory is that of the topology and the
effective policies of both kinds, as a multiple of the parsed resources. *Contexts* are all contexts of all targets; *specs and
origins* are read of every effective policy.

${sizes}

## Changes

One change of R, when all statuses are as they should be: to take it in, to find what applies then, and to plan the statuses
that follow.

${changes}

## Awkward shapes

Load and statuses as multiples of \`JSON.parse\` of the same few resources, and both together of R.

${shapes}

## Attacks

What tenants can write to cost others time or memory, at the largest of three sizes; [security](security.md) says what bounds them. Each runs in a process
of its own. A stage is one of: read, apply, issues, draw, trace, specs, reports, plan, explain, impact, and a small change with the plan
that follows. *Growth* is the power of n by which the worst stage grows from the smallest size to the largest. Larger inputs than 1 MB have no bar.

${attacks}
`;
}
