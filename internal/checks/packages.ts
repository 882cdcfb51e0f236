import { readdirSync, readFileSync } from 'node:fs';
import { root } from './files.ts';

/** A `package.json`, as far as the checks read it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly description?: string;
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly repository?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig?: {
    readonly access?: string;
    readonly provenance?: boolean;
    readonly exports?: Manifest['exports'];
  };
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package that is published: each folder of `packages`. */
export interface Package {
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly manifest: Manifest;
  /**
   * What users can import: `@policy-machinery/resource/node`, by the file of `src` that it stands for. The entry `inner` is for the packages of
   * this repository.
   */
  readonly entries: ReadonlyMap<string, string>;
}

/** Reads a `package.json`, by its folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
}

/** The oldest Node that the packages support, and the newest one, as versions: `20.19.0`. */
export const oldestNode = manifestOf('.').engines?.node?.replace(/^>=(\d+\.\d+)$/, '$1.0') ?? '';
export const newestNode = readFileSync(`${root}.nvmrc`, 'utf8').trim();

/** Returns whether a package is a program: one bundle without dependencies, and with nothing to import. */
export function isProgram({ bin }: Manifest): boolean {
  return bin !== undefined;
}

/** The package that holds all others but programs, and adds nothing of its own. */
export const umbrella = 'policy-machinery';

/** All packages that are published, by name. */
export const published: readonly Package[] = readdirSync(`${root}packages`)
  .sort()
  .map((name) => `packages/${name}`)
  .map((folder) => ({ folder, manifest: manifestOf(folder) }))
  .map(({ folder, manifest }) => ({ folder, manifest, entries: entriesOf(manifest) }));

function entriesOf({ name, exports = {} }: Manifest): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const [path, target] of Object.entries(exports)) {
    const source = typeof target === 'string' ? undefined : target['@policy-machinery/source'];
    if (source !== undefined && path !== './inner') entries.set(name + path.slice(1), source);
  }
  return entries;
}
