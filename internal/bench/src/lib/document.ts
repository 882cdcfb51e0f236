/** The tables of a run. */
export interface Tables {
  readonly bars: string;
  readonly sizes: string;
  readonly changes: string;
  readonly shapes: string;
  readonly attacks: string;
}

/** Returns the content of `docs/performance.md`. */
export function performanceDocument({ bars, sizes, changes, shapes, attacks }: Tables): string {
  return `# Performance

This page shows the cost of the library, as ratios to the time that \`JSON.parse\` takes for the same resources in the same run.
Such ratios are about the same on any machine. \`pnpm bench\` measures and writes this page; \`pnpm bench --check\` fails if a bar is
missed.

R is the reference size of \`internal/workload\`: 200 Gateways with 10 listeners each, 20,000 HTTPRoutes with 3 rules each, 10,000
Services, 50 namespaces and 5,000 policies of two kinds. That is about 92,000 gateways, listeners, routes, rules and services.

- All figures are medians of at least five runs in one process, on a bundle of the sources. Before each run, the garbage of the
  previous run is collected and the heap is compacted.
- Resources are in the order in which an API server lists them: by kind, namespace and name. In any other order a load costs about a
  twentieth more, since related objects are further apart in memory.
- Machine load varies, so runs are interleaved: all sizes are loaded, and R is changed, in five rounds.
- The figures are those of a running process. The first third of the changes in a round is not counted, and a small cluster stays
  loaded, so that the engine keeps its optimised code. The first load of a new process takes longer.
- Slices and trials are measured by their CPU time, garbage collection included.

## Bars

${bars}

## By size

These are clusters of the same mix. Times are multiples of \`JSON.parse\` of the same resources. Memory is that of the topology and
the effective policies of both kinds, as a multiple of the parsed resources; after the plan, that of the planner too. *Contexts* means all contexts of all targets; *specs
and origins* means those of every effective policy.

${sizes}

## Changes

The cost of one change of R when all statuses are up to date: to apply the change, to find out what applies afterwards, and to
plan the status writes.

${changes}

## Awkward shapes

Load and statuses are multiples of \`JSON.parse\` of the same few resources. The last column is the sum of both, as a multiple of
\`JSON.parse\` of R.

${shapes}

## Beside the Go library

A controller of these packages beside one of the Go library policy-machinery (v0.9.0, in its default mode), on the same API server with the standard
kinds of Gateway API, 2 Gateways, 100 HTTPRoutes and Services, and a policy on each Gateway and route. Both write the statuses of the 102 policies, and
nothing else.

|                                                                     | to the Go library |
| ------------------------------------------------------------------- | ----------------: |
| CPU time from the start to the last status                          |             1.8 × |
| resident memory after that                                          |      1.4 to 1.6 × |
| the most resident memory                                            |             1.4 × |
| writes                                                              |               1 × |
| discovery requests, where five kinds are not installed              |        7 beside 2 |
| lists that are read                                                 | 0 beside 16 to 24 |

To repeat it, bundle a program of \`createPolicyController\` with \`status: { affected: 'off' }\` as \`examples/controller\` does, run it with the options of its
image, and write the same controller in Go, with \`StateReconciler\` and merge patches. Delete all statuses, start one of the two, wait until all policies
have a status, and read the CPU time and the memory of the process three seconds later. Take the median of five runs of each, in turn. Go's memory
depends on whether its own collection has run by then. About a third of our
CPU time and four fifths of our memory belong to Node.js and to loaded modules: the larger the cluster, the smaller is their share.

## Attacks

Input with which a tenant could cost others time or memory, at the largest of three sizes. [Security](security.md) lists the limits
that apply. Each attack runs in its own process. A stage is one of: read, apply, issues, draw, trace, specs, reports, plan, explain,
impact, and a small change with the plan that follows. *Growth* is the power of n by which the worst stage grows from the smallest
size to the largest. Inputs larger than 1 MB have no bar.

${attacks}
`;
}
