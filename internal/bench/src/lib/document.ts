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

This page is for everybody who plans the capacity of a controller or changes the library. You can see the cost of each step, as a ratio to
the time of \`JSON.parse\` for the same resources in the same run: such ratios are about the same on any machine. \`pnpm bench\` measures and
writes this page. \`pnpm bench --check\` fails if a bar is missed.

R is the reference size of \`internal/workload\`: 200 Gateways with 10 listeners each, 20,000 HTTPRoutes with 3 rules each, 10,000 Services,
50 namespaces and 5,000 policies of two kinds, which is about 92,000 targets.

- All figures are medians of at least five interleaved runs in one warm process, on a bundle of the sources. Garbage is collected before
  each run.
- Resources are in the order of an API server: by kind, namespace and name. In any other order a load costs about a twentieth more.
- Readers of kinds, slices and trials are measured by their CPU time, garbage collection included.

## Bars

${bars}

## By size

Clusters of the same mix. Times are multiples of \`JSON.parse\`. Memory is for the topology and the effective policies of both kinds, and
after the plan also for the planner, as a multiple of the parsed resources. *Contexts* means all contexts of all targets; *specs and
origins* are read for every effective policy.

${sizes}

## Changes

The cost of one change of R with current statuses: to apply it, to compute its effects, and to plan the status writes.

${changes}

## Awkward shapes

Load and statuses are multiples of \`JSON.parse\` of the same few resources. The last column is the sum, as a multiple of \`JSON.parse\` of R.

${shapes}

## Beside the Go library

A controller of these packages beside one of the Go library policy-machinery (v0.9.0, default mode), on the same API server with the
standard kinds of Gateway API, 2 Gateways, 100 HTTPRoutes and Services, and 102 policies. Both write only the statuses of the policies.

|                                                                     | to the Go library |
| ------------------------------------------------------------------- | ----------------: |
| CPU time from the start to the last status                          |             1.8 × |
| resident memory after that                                          |      1.4 to 1.6 × |
| the most resident memory                                            |             1.4 × |
| writes                                                              |               1 × |
| discovery requests, where five kinds are not installed              |        7 beside 2 |
| lists that are read                                                 | 0 beside 16 to 24 |

To repeat it, bundle a program with \`status: { affected: 'off' }\` as in \`examples/controller\`, and write the same controller in Go. Delete
all statuses, start one of them, wait until all policies have a status, and read CPU time and memory three seconds later, five times in
turn. About a third of our CPU time and four fifths of our memory belong to Node.js and to loaded modules, so their share falls in larger
clusters.

## Attacks

The ten worst of the inputs that a tenant could use to cost others time or memory, each at the largest of three sizes and in its own
process. \`pnpm bench --attacks\` prints all. [Security](security.md#limits) lists the limits that apply. A stage is one of: read, apply,
issues, draw, trace, specs, reports, plan, explain, impact, and a small change with the following plan. *Growth* is the growth of the worst
stage with the size n of the input. Inputs larger than 1 MB do not have a bar.

${attacks}
`;
}
