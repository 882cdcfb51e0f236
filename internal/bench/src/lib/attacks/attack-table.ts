import type { Bar } from '../bars.ts';
import { ratio } from '../format.ts';
import { table } from '../table.ts';
import type { AttackResult, MeasuredAttack } from './measure-attacks.ts';
import type { AttackRun, StageName } from './stages.ts';

/** What each stage may take for an input of at most 1 MB, in multiples of `JSON.parse` of R. */
const maxCpu = 10;
/** What a process may hold with an input of at most 1 MB, in MiB. */
const maxMemory = 500;
/** Larger inputs have no bar. */
const maxBytes = 1e6;
/** Growth of what takes less than this, in milliseconds, is that of the process. */
const leastMs = 50;

/**
 * Returns the attacks as a table, with the largest input of each, the worst first. Those that fail come first.
 *
 * @param results The attacks.
 * @param parse The time that `JSON.parse` takes for R, in milliseconds.
 * @param most The number of attacks in the table. Default: all.
 */
export function attackTable(results: readonly AttackResult[], parse: number, most = results.length): string {
  const cpuOf = ({ measured }: AttackResult) => {
    const run = measured.at(-1)?.run;
    return run === undefined ? Number.POSITIVE_INFINITY : worstStage(run)[1];
  };
  const worst = results.toSorted((a, b) => cpuOf(b) - cpuOf(a)).slice(0, most);
  const rows = worst.map(({ name, measured }) => {
    const run = measured.at(-1)?.run;
    if (run === undefined) return [name, '', '', '', 'failed', ''];
    const [stage, cpu] = worstStage(run);
    return [
      name,
      `${Math.round(run.bytes / 1000)} kB`,
      stage,
      ratio(cpu / parse),
      growthOf(measured),
      String(run.memory),
    ];
  });
  return table(['attack', 'bytes', 'worst stage', 'its CPU, to `JSON.parse` of R', 'growth', 'memory, MiB'], rows);
}

/** Returns the bars of all attacks together; of what fails, both are missed. */
export function attackBars(results: readonly AttackResult[], parse: number): readonly Bar[] {
  const runs = results.flatMap(({ measured }) => measured.map(({ run }) => run));
  const counted = runs.filter((run) => run === undefined || run.bytes <= maxBytes);
  const worst = (of: (run: Exclude<MeasuredAttack['run'], undefined>) => number): number =>
    Math.max(0, ...counted.map((run) => (run === undefined ? Number.POSITIVE_INFINITY : of(run))));
  const cpu = { value: worst((run) => worstStage(run)[1] / parse), limit: maxCpu, said: String(maxCpu) };
  const memory = { value: worst((run) => run.memory), limit: maxMemory, said: String(maxMemory) };
  return [
    { what: 'attacks of at most 1 MB: the stage with the most CPU', ...cpu, unit: '× `JSON.parse` of R' },
    { what: 'attacks of at most 1 MB: memory of the process', ...memory, unit: 'MiB' },
  ];
}

/** Returns the power of the size with which the worst stage of the largest input grows; empty where that is too short to say. */
export function growthOf(measured: readonly MeasuredAttack[]): string {
  const [first, last] = [measured[0], measured.at(-1)];
  if (first?.run === undefined || last?.run === undefined || first === last) return '';
  const [stage, cpu] = worstStage(last.run);
  if (cpu < leastMs) return '';
  const before = Math.max(first.run.stages[stage] ?? 0, 1);
  return `n^${(Math.log(cpu / before) / Math.log(last.size / first.size)).toFixed(1)}`;
}

function worstStage({ stages }: Pick<AttackRun, 'stages'>): readonly [name: StageName, cpu: number] {
  const costs = Object.entries(stages) as [StageName, number][];
  return costs.reduce((worst, stage) => (stage[1] > worst[1] ? stage : worst));
}
