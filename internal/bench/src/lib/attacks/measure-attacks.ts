import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import type { AttackRun } from './stages.ts';

/** An attack at one size, in a process of its own. */
export interface MeasuredAttack {
  readonly size: number;
  /** `undefined` where the process took too much time or memory. */
  readonly run: (AttackRun & { /** The peak, in MiB. */ readonly memory: number }) | undefined;
}

/** An attack with what it has cost. */
export interface AttackResult {
  readonly name: string;
  /** By size, the smallest first. */
  readonly measured: readonly MeasuredAttack[];
}

/** The heap of each process. */
const heapMiB = 2048;
/** The time after which a process is stopped. */
const maxMs = 180_000;

/** What all attacks have cost. */
export interface MeasuredAttacks {
  readonly results: readonly AttackResult[];
  /** CPU time of `JSON.parse` of R in a process of its own, in milliseconds. */
  readonly parse: number;
}

/**
 * Runs all attacks, each at each of its sizes in a process of its own.
 *
 * @param say Receives what is being measured.
 */
export function measureAttacks(say: (what: string) => void): MeasuredAttacks {
  const parse = inProcess<number>() ?? Number.NaN;
  const results = attacks.map((attack) => {
    say(`the attack "${attack.name}"`);
    return { name: attack.name, measured: measureAttack(attack) };
  });
  return { results, parse };
}

/** After a size that fails, none that is larger. */
function measureAttack({ name, sizes }: Attack): readonly MeasuredAttack[] {
  const measured: MeasuredAttack[] = [];
  for (const size of sizes) {
    const run = inProcess<MeasuredAttack['run']>(name, String(size));
    measured.push({ size, run });
    if (run === undefined) break;
  }
  return measured;
}

function inProcess<Result>(...args: readonly string[]): Result | undefined {
  const program = fileURLToPath(new URL('attack.js', import.meta.url));
  const options = { encoding: 'utf8', timeout: maxMs, killSignal: 'SIGKILL', maxBuffer: 1 << 20 } as const;
  const { status, stdout } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heapMiB}`, program, ...args],
    options,
  );
  return status === 0 ? JSON.parse(stdout) : undefined;
}
