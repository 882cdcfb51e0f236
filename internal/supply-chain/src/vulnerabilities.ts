import { spawnSync } from 'node:child_process';
import type { Shipped } from './shipped.ts';

/** The answer of `pnpm audit --json`, as far as it is read. */
interface AuditAnswer {
  readonly error?: { readonly message?: string };
  readonly advisories?: Readonly<Record<string, Advisory>>;
}

interface Advisory {
  readonly module_name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
  readonly patched_versions: string;
  readonly findings: readonly { readonly version: string }[];
}

/** What is known of vulnerabilities: a line for each, or why nothing is known. */
export type Vulnerabilities = { readonly found: readonly string[] } | { readonly notChecked: string };

/** Asks the registry about all that is installed. Needs a network. */
export function auditAnswer(root: string): string {
  const { stdout } = spawnSync('npx', ['--no-install', 'pnpm', 'audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return stdout ?? '';
}

/**
 * Returns the known vulnerabilities of what is shipped. Those of tools that only build and test are left out.
 *
 * @param shipped What is shipped.
 * @param answer The answer of `pnpm audit --json`.
 * @returns A line for each, or why it is not known whether there are any.
 */
export function vulnerabilitiesIn(shipped: readonly Shipped[], answer: string): Vulnerabilities {
  const read = parsed(answer);
  if (read?.advisories === undefined) return { notChecked: reasonOf(read) };
  const found = Object.values(read.advisories).flatMap((advisory) => {
    const versions = new Set(advisory.findings.map(({ version }) => version));
    return shipped
      .filter(({ name, version }) => name === advisory.module_name && versions.has(version))
      .map(({ name, version, neededBy }) => {
        const { severity, title, patched_versions: patched, url } = advisory;
        return `${name}@${version}: ${severity}: ${title}; use ${patched} (${neededBy.join(', ')} needs it, ${url})`;
      });
  });
  return { found };
}

function parsed(answer: string): AuditAnswer | undefined {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

/** Returns why there is no answer, without the address that was asked: it may be a mirror's. */
function reasonOf(read: AuditAnswer | undefined): string {
  const status = /responded with (\d+)/.exec(read?.error?.message ?? '')?.[1];
  return status === undefined ? 'the registry does not answer' : `the registry answers ${status} to the question`;
}
