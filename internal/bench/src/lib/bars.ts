import type { ChangeName, MeasuredChange } from './changes.ts';
import type { MeasuredCommands } from './commands.ts';
import type { Floor } from './floor.ts';
import type { MeasuredGuarantees, Verifying } from './guarantees.ts';
import type { Load } from './load.ts';
import type { Reading } from './reading.ts';
import type { SlicedStart } from './slices.ts';
import type { MeasuredTrials, Spread } from './trials.ts';

/** A limit on what something may cost. */
export interface Bar {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  /** The limit in words. */
  readonly said: string;
  /** What the value is a multiple of. Absent: the value is a time, which is not shown. */
  readonly unit?: string;
}

/** The measurements that the bars are about. */
export interface Measured {
  readonly reference: Load;
  readonly tenThousand: Load;
  readonly hundredThousand: Load;
  readonly changes: Readonly<Record<ChangeName, MeasuredChange>>;
  readonly wide: Load;
  readonly ladder: Load;
  readonly reading: Reading;
  readonly floor: Floor;
  readonly slices: SlicedStart;
  readonly trials: MeasuredTrials;
  readonly verifying: MeasuredGuarantees;
  readonly commands: MeasuredCommands;
}

/** Returns whether a bar is met. */
export function isMet({ value, limit }: Bar): boolean {
  return value <= limit;
}

/** Returns the bars with the measured values. */
export function barsOf({
  reference,
  tenThousand,
  hundredThousand,
  changes,
  wide,
  ladder,
  reading,
  floor,
  slices,
  trials,
  verifying,
  commands,
}: Measured): readonly Bar[] {
  const toParse = (name: ChangeName): number => changes[name].ms / reference.parse;
  return [
    {
      what: 'YAML of 10,000 nodes read, as kubectl prints it',
      value: reading.yaml / reading.json,
      limit: 3,
      said: '3',
      unit: '× JSON',
    },
    {
      what: 'load of R: apply, contexts, and the spec and origins of every effective policy',
      value: reference.load / reference.parse,
      limit: 4.2,
      said: '4.2',
      unit: '× `JSON.parse`',
    },
    {
      what: 'the part of it that the readers of kinds take: resources, sections, references, targets and specs of policies',
      value: floor.floor / floor.parse,
      limit: 1.3,
      said: '1.3',
      unit: '× `JSON.parse`',
    },
    {
      what: 'the first plan of R: outcomes of all policies, affected objects, and all statuses',
      value: reference.plan / reference.parse,
      limit: 6,
      said: '6',
      unit: '× `JSON.parse`',
    },
    {
      what: 'memory of the topology and the effective policies of R',
      value: reference.ownBytes / reference.resourceBytes,
      limit: 2,
      said: '2',
      unit: '× the parsed resources',
    },
    {
      what: 'memory of the same after the first plan, with the planner',
      value: reference.plannedBytes / reference.resourceBytes,
      limit: 4,
      said: '4',
      unit: '× the parsed resources',
    },
    {
      what: changes.policyOnRoute.what,
      value: toParse('policyOnRoute'),
      limit: 1 / 250,
      said: '1/250',
      unit: '× `JSON.parse`',
    },
    {
      what: changes.policyOnGateway.what,
      value: toParse('policyOnGateway'),
      limit: 1 / 25,
      said: '1/25',
      unit: '× `JSON.parse`',
    },
    {
      what: 'load of 100,000 nodes',
      value: hundredThousand.load / tenThousand.load,
      limit: 12,
      said: '12',
      unit: '× 10,000 nodes',
    },
    {
      what: 'one Gateway with 64 listeners and 1,000 routes on all of them: load, and all statuses planned',
      value: (wide.load + wide.plan) / reference.parse,
      limit: 2,
      said: '2',
      unit: '× `JSON.parse` of R',
    },
    {
      what: 'start of R in slices, load and all statuses planned: the longest slice',
      value: slices.longest / slices.parse,
      limit: 0.5,
      said: '0.5',
      unit: '× `JSON.parse`',
    },
    {
      what: 'start of R in slices, load and all statuses planned: all slices',
      value: slices.sliced / slices.whole,
      limit: 1.1,
      said: '1.1',
      unit: '× at once',
    },
    ...reviewBars('a policy edited on a route', trials.onRoute, trials.parse, 60),
    ...reviewBars('a policy edited on a Gateway with about 100 routes', trials.onGateway, trials.parse, 6),
    ...guaranteeBars(verifying),
    ...commandBars(commands),
    { what: 'load of a ladder of 40 diamonds, which has 2^40 paths', value: ladder.load, limit: 10, said: '10 ms' },
  ];
}

function guaranteeBars({ thousand, tenThousand, wide }: MeasuredGuarantees): readonly Bar[] {
  const toLoad = (what: string, { load, verify }: Verifying, limit: number): Bar => {
    return {
      what: `a guarantee verified for ${what}`,
      value: verify / load,
      limit,
      said: `${limit}`,
      unit: '× the load',
    };
  };
  return [
    toLoad('1,000 routes on one listener', thousand, 3),
    toLoad('1,000 routes on each of 64 listeners', wide, 6),
    {
      what: 'a guarantee verified for 10,000 routes on one listener',
      value: tenThousand.verify / thousand.verify,
      limit: 13,
      said: '13',
      unit: '× 1,000 routes',
    },
  ];
}

function commandBars({ get, coverage, diff, diffOfAll }: MeasuredCommands): readonly Bar[] {
  const toGet = (what: string, value: number, limit: number): Bar => {
    return { what: `${what} of 20,000 routes`, value, limit, said: `${limit}`, unit: '× `gwpolicy get`' };
  };
  return [
    toGet('CPU time of `gwpolicy coverage`', coverage.cpu / get.cpu, 1.2),
    toGet('CPU time of `gwpolicy diff` with one changed field', diff.cpu / (2 * get.cpu), 1.5),
    toGet('memory of the same `gwpolicy diff`', diff.memory / get.memory, 2),
    toGet('CPU time of `gwpolicy diff` of a Gateway policy that most inherit', diffOfAll.cpu / (2 * get.cpu), 1.5),
    toGet('memory of the same `gwpolicy diff`', diffOfAll.memory / get.memory, 2),
  ];
}

/** Returns the bars of reviews by a trial. One in a hundred may take one part in so many of `JSON.parse`, and half of them a third of that. */
function reviewBars(of: string, { median, p99 }: Spread, parse: number, parts: number): readonly Bar[] {
  const bar = (what: string, value: number, most: number): Bar => {
    return { what, value: value / parse, limit: 1 / most, said: `1/${most}`, unit: '× `JSON.parse`' };
  };
  return [
    bar(`review of ${of}, by a trial`, median, 3 * parts),
    bar(`review of ${of}, by a trial: 99 of 100 take at most`, p99, parts),
  ];
}
