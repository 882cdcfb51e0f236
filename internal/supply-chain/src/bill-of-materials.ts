import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { foldersOf, manifestIn, type Shipped } from './shipped.ts';

/** A component of CycloneDX. */
interface Component {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

/** Returns the SHA-512 of a package as it was downloaded, in hexadecimal; `undefined` if it is not known. */
export type HashOf = (name: string, version: string) => string | undefined;

/**
 * Returns a bill of materials in CycloneDX 1.6: the published packages, and all of others that they ship. The same input gives the same bill.
 *
 * @param root The folder of the repository.
 * @param shipped What is shipped.
 * @param hashOf Returns hashes.
 * @returns The bill, as JSON can hold it.
 */
export function billOfMaterials(root: string, shipped: readonly Shipped[], hashOf: HashOf) {
  const ours = foldersOf(root).map(manifestIn);
  const { name, version } = ours.find((each) => each.name === 'policy-machinery') ?? {
    name: 'policy-machinery',
    version: '0',
  };
  const versions = [...ours, ...shipped];
  const users = new Map<string, string[]>(versions.map((each) => [refOf(each), []]));
  for (const each of shipped) {
    for (const user of versions.filter((other) => each.neededBy.includes(other.name)))
      users.get(refOf(user))?.push(refOf(each));
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'policy-machinery', name, version } },
    components: [
      ...ours.map((each) =>
        componentOf({ ...each, license: each.license }, each.bin === undefined ? 'library' : 'application'),
      ),
      ...shipped.map((each) => componentOf(each, 'library', hashOf(each.name, each.version))),
    ],
    dependencies: [...users].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}

/** Returns the hashes in the lockfile of pnpm. */
export function lockedHashes(root: string): HashOf {
  const { packages = {} } = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  return (name, version) => {
    const integrity: unknown = packages[`${name}@${version}`]?.resolution?.integrity;
    const [, base64] = /^sha512-(.+)$/.exec(String(integrity)) ?? [];
    return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex');
  };
}

type Named = Pick<Shipped, 'name' | 'version'>;

function refOf({ name, version }: Named): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function componentOf(
  each: Named & { readonly license?: string | undefined },
  type: Component['type'],
  hash?: string,
): Component {
  const ref = refOf(each);
  return {
    type,
    'bom-ref': ref,
    name: each.name,
    version: each.version,
    purl: ref,
    ...(each.license === undefined ? {} : { licenses: [{ expression: each.license }] }),
    ...(hash === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hash }] }),
  };
}
