import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../files.ts';

const page = readFileSync(`${root}docs/ci.md`, 'utf8');

/** Returns the inputs that the first document of a YAML file declares, with their defaults. */
function inputsOf(path: string): readonly (readonly [name: string, fallback: string])[] {
  const [document] = parseAllDocuments(readFileSync(root + path, 'utf8'));
  const { inputs, spec } = document?.toJS() ?? {};
  return Object.entries<{ readonly default: string }>(inputs ?? spec.inputs).map(([name, it]) => [name, it.default]);
}

/** Returns what the page says about each input, in the table of a section. */
function rowsOf(section: string): ReadonlyMap<string, string> {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [, table = ''] = text.split('\n| input | meaning |\n|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  return new Map(
    rows.flatMap((row) => {
      const [names = '', says = ''] = row.split(' | ');
      return Array.from(names.matchAll(/`(.+?)`/g), ([, name = '']) => [name, says] as const);
    }),
  );
}

describe.each([
  ['action/action.yml', 'GitHub Actions'],
  ['templates/policies.yml', 'GitLab CI'],
])('the inputs of %s', (path, section) => {
  const rows = rowsOf(section);
  const inputs = inputsOf(path);

  it('are the ones that docs/ci.md lists', () => {
    expect([...rows.keys()].sort()).toEqual(inputs.map(([name]) => name).sort());
  });

  it('have the defaults that docs/ci.md says', () => {
    const words = inputs.filter(([, fallback]) => /^[a-z]+$/.test(fallback));
    expect(words.length).toBeGreaterThan(2);
    const others = words.filter(([name, fallback]) => {
      const says = rows.get(name) ?? '';
      return !says.includes(`Default: \`${fallback}\``) && !says.includes(`\`${fallback}\` (the default)`);
    });
    expect(others).toEqual([]);
  });
});
