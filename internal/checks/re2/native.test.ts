import { readFileSync } from 'node:fs';
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

it('no package makes a regular expression of JavaScript from a text of others: those go to re2 of @policy-machinery/cel', () => {
  const sources = filesOf('packages/*/src/**/*.ts').filter(
    (file) => !/\.(?:test|test-d|fixture)\.ts$|\/page-assets\.ts$/.test(file),
  );
  const makers = sources.filter((file) => /\bRegExp\(/.test(readFileSync(root + file, 'utf8')));
  expect(makers.sort()).toEqual(Object.keys(own).sort());
});
