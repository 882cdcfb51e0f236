import { type Answer, text } from './answer.ts';
import { type Check, runCheck } from './check.ts';

/**
 * Answers a request for the health of all checks, in the words of Kubernetes: `ok`, or a line for each check.
 *
 * @param name The last part of the path: `readyz`.
 * @param query `verbose` asks for the lines even if all checks pass; `exclude=name` leaves a check out, and can be repeated.
 * @returns 200, or 500 if a check fails.
 */
export function answerHealth(name: string, checks: readonly Check[], query: URLSearchParams): Answer {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let isHealthy = true;
  for (const check of checks) {
    const isExcluded = excluded.delete(check.name);
    const { fault } = isExcluded ? { fault: undefined } : runCheck(check);
    if (fault !== undefined) isHealthy = false;
    lines.push(isExcluded ? `[+]${check.name} excluded: ok` : lineOf(check.name, fault));
  }
  if (excluded.size > 0) {
    const names = Array.from(excluded, (it) => JSON.stringify(it)).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (isHealthy && !query.has('verbose')) return text(200, 'ok');
  lines.push(`${name} check ${isHealthy ? 'passed' : 'failed'}`, '');
  return text(isHealthy ? 200 : 500, lines.join('\n'));
}

/** Answers a request for one check. */
export function answerCheck(check: Check): Answer {
  const { fault } = runCheck(check);
  return fault === undefined ? text(200, 'ok') : text(500, `internal server error: ${fault}\n`);
}

function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/);
  return lines.map((line) => line.trim()).join(' ');
}

/** Returns the line of a check. Line breaks in the fault become spaces, so that the fault does not look like another check. */
function lineOf(name: string, fault: string | undefined): string {
  return fault === undefined ? `[+]${name} ok` : `[-]${name} failed: ${oneLine(fault)}`;
}
