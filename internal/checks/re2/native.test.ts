import { readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

/** The files that make regular expressions of JavaScript from texts, and why these texts are not others'. */
const own: Readonly<Record<string, string>> = {
  'packages/crd/src/lib/structural/regular-expression.ts':
    'only compiles the pattern, which is not matched with any text',
  'packages/gateway-api/src/lib/fields/hostname.ts': 'a constant',
  'packages/policy-kind/src/lib/kind/kind-names.ts': 'constants',
  'packages/resource/src/lib/controller-name.ts': 'a constant',
  'packages/resource/src/lib/parse-selector.ts': 'constants',
  'packages/target-ref/src/lib/patterns.ts': 'constants',
};

const sources = filesOf('packages/*/src/**/*.ts', 'packages/report/page/*.ts').filter(
  (file) => !/\.(?:test|test-d|fixture)\.ts$|\/page-assets\.ts$/.test(file),
);

it('no package makes a regular expression of JavaScript from a text of others: those go to re2 of @policy-machinery/cel', () => {
  const makers = sources.filter((file) => /\bRegExp\(/.test(readFileSync(root + file, 'utf8')));
  expect(makers.sort()).toEqual(Object.keys(own).sort());
});

/** Returns the regular expressions that a file writes out. */
function literalsIn(file: string): readonly string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest));
  return literals;
}

// Takes a quarter of a minute, so only `npm run check` does it.
it.runIf(process.env.PROPERTY_RUNS !== undefined)(
  'no regular expression that a package writes out takes more time than in proportion to a text',
  () => {
    process.env.RECHECK_SYNC_BACKEND = 'pure';
    const literals = new Map(sources.flatMap((file) => literalsIn(file).map((literal) => [literal, file] as const)));
    expect(literals.size).toBeGreaterThan(100);
    const slow = [...literals].flatMap(([literal, file]) => {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? [];
      const found = checkSync(source, flags, { timeout: null, randomSeed: 0 });
      if (found.status === 'safe') return [];
      return [`${file}: ${literal} takes ${found.status === 'unknown' ? 'unknown' : found.complexity.summary} time`];
    });
    expect(slow).toEqual([]);
  },
  600_000,
);
