import { findingsIn } from '../answers/issues.ts';
import { replacedProtectionCode } from '../covering/replaced.ts';
import type { Finding } from '../model/answer.ts';
import type { Comparison } from './compare.ts';

/** The findings that exist only before or only after a change. */
export interface FindingChanges {
  readonly added: readonly Finding[];
  readonly fixed: readonly Finding[];
}

/** The codes of findings that are compared as outcomes, or as protections of requests. */
const comparedElsewhere: ReadonlySet<string> = new Set([
  ...['conflicted', 'overridden', 'not-in-any-path', 'pending', 'undecided'],
  replacedProtectionCode,
]);

/** The codes of notes that count files: any file changes the count, and nothing is wrong with that. */
const aboutFiles: ReadonlySet<string> = new Set(['not-rendered', 'no-manifest']);

/**
 * Returns the findings that exist only before or only after a change. The line of a finding does not count.
 *
 * @returns The findings.
 */
export function findingChanges({ before, after }: Comparison): FindingChanges {
  const [old, young] = [before, after].map((world) => {
    const findings = findingsIn(world).filter(({ code }) => !comparedElsewhere.has(code) && !aboutFiles.has(code));
    return new Map(findings.map((finding) => [identityOf(finding), finding]));
  }) as [Map<string, Finding>, Map<string, Finding>];
  const without = (all: ReadonlyMap<string, Finding>, others: ReadonlyMap<string, Finding>) =>
    [...all].flatMap(([identity, finding]) => (others.has(identity) ? [] : [finding]));
  return { added: without(young, old), fixed: without(old, young) };
}

function identityOf({ code, severity, resource, pointer, message }: Finding): string {
  return JSON.stringify([code, severity, resource, pointer, message]);
}
