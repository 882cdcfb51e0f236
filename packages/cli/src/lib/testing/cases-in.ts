import { parseName } from '../names/parse-name.ts';
import type { PolicyTestCase } from './case.ts';

/**
 * Returns the cases about the objects of a namespace: about a target or a policy there, or a request that is taken there.
 *
 * @param cases The cases.
 * @param namespace The namespace; `undefined` for all cases.
 * @param usual The namespace of names that have none. Default: `default`.
 * @returns The cases about them, also within changes. A request that names no rule can be taken anywhere.
 */
export function casesIn(
  cases: readonly PolicyTestCase[],
  namespace: string | undefined,
  usual = 'default',
): readonly PolicyTestCase[] {
  if (namespace === undefined) return cases;
  const isThere = (name: string) => (namespaceIn(name) ?? usual) === namespace;
  return cases.flatMap((each): readonly PolicyTestCase[] => {
    const { expects } = each;
    if (expects.type === 'change') {
      const then = casesIn(expects.cases, namespace, usual);
      return then.length === 0 ? [] : [{ ...each, expects: { ...expects, cases: then } }];
    }
    const name = nameIn(expects);
    return name === undefined || isThere(name) ? [each] : [];
  });
}

/** Returns the name of the object that a case is about; `undefined` if it names none. */
function nameIn(expects: Exclude<PolicyTestCase['expects'], { readonly type: 'change' }>): string | undefined {
  if (expects.type === 'target') return expects.target;
  return expects.type === 'outcome' ? expects.policy : (expects.takenBy ?? undefined);
}

/** Returns the namespace of a name; `undefined` if it has none, or is not a name, which its case says. */
function namespaceIn(name: string): string | undefined {
  try {
    return parseName([name]).name.namespace;
  } catch {
    return undefined;
  }
}
