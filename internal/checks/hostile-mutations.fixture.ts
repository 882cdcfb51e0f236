import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import type { Attack, FileChange } from './hostile-pulls.fixture.ts';

/** Writes the same objects of a manifest in another way. */
type Spelling = (objects: readonly unknown[]) => string;

const documents =
  (write: (object: unknown) => string): Spelling =>
  (objects) =>
    objects.map(write).join('\n---\n');

/** Writes the letters of keys and texts as escapes. */
function escaped(object: unknown): string {
  const escapeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(object).replaceAll(/(?<!\\)[a-z]/g, (letter, at, all) =>
    isInString(all, at) ? escapeOf(letter) : letter,
  );
}

function isInString(json: string, at: number): boolean {
  return (json.slice(0, at).replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

const spellings: readonly Spelling[] = [
  documents((object) => JSON.stringify(object)),
  documents(escaped),
  documents((object) => stringify(object, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_SINGLE' })),
  documents((object) => `# a comment\n${stringify(object, { indent: 7 })}`.replaceAll('\n', '\r\n')),
  (objects) => `\ufeff${objects.map((object) => stringify(object)).join('...\n---\n')}`,
  (objects) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  (objects) => documents((object) => stringify(object))([...objects].reverse()),
];

/** Returns the objects of a file that can be written in another way: `undefined` for what is no manifest, or only a part of one. */
function objectsIn(name: string, to: FileChange): readonly unknown[] | undefined {
  if (typeof to !== 'string' || !/^(?:deploy|evil)\/(?!.*(?:policy-test|kustomization|accepted)).*\.yaml$/.test(name))
    return undefined;
  const all = parseAllDocuments(to);
  if (!Array.isArray(all) || all.some(({ errors }) => errors.length > 0)) return undefined;
  return all.map((document) => document.toJS());
}

function respelled(files: Attack['files'], spelling: Spelling): Attack['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([name, to]) => {
      const objects = objectsIn(name, to);
      return [name, objects === undefined ? to : spelling(objects)];
    }),
  );
}

/** Returns the files of both; where both change one, the first decides. */
function together(one: Attack['files'], other: Attack['files']): Attack['files'] {
  return { ...other, ...one };
}

/**
 * Mutates attacks: their manifests are written in another way, and a second attack is meant to hide the first.
 *
 * @param attacks The attacks, by name.
 * @returns The names of both, the files, and the sentence that still names the first.
 */
export function mutated(attacks: Readonly<Record<string, Attack>>) {
  const names = Object.keys(attacks);
  const anyName = fc.constantFrom(...names);
  const spelling = fc.nat({ max: spellings.length - 1 });
  return fc.record({ first: anyName, second: anyName, spelling }).map(({ first, second, ...rest }) => {
    const [one, other] = [attacks[first], attacks[second]] as [Attack, Attack];
    const spell = spellings[rest.spelling] as Spelling;
    return { first, second, spelling: rest.spelling, files: respelled(together(one.files, other.files), spell) };
  });
}
