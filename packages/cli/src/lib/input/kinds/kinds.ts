import { dialects, type FoundKinds, findPolicyKinds } from '@policy-machinery/known-kinds';
import type { KubernetesObject, ReleasedDefinition } from '@policy-machinery/resource';
import type { Options } from '../../model/flags.ts';
import { UsageError } from '../../model/usage-error.ts';
import { linkingOf } from './linking.ts';
import type { OwnKinds } from './own-kinds.ts';

/**
 * Finds the policy kinds of some objects.
 *
 * @param resources The objects, with the CustomResourceDefinitions among them.
 * @param own The kinds and dialects of `--kinds`.
 * @param options Their `dialect` says how policies are merged, and `ignoreStatus` whether only specs attach routes.
 * @param released The definitions of releases, for kinds that none of the objects defines. Default: none.
 * @returns The policy kinds, and the target kinds for a topology.
 * @throws {UsageError} If a dialect is not of the form `group/Kind=profile`, or such a profile does not exist.
 */
export function findKinds(
  resources: readonly KubernetesObject[],
  own: OwnKinds,
  { dialect = [], ignoreStatus = false }: Pick<Options, 'dialect' | 'ignoreStatus'>,
  released: readonly ReleasedDefinition[] = [],
): FoundKinds {
  return findPolicyKinds({
    resources: [...own.definitions, ...resources],
    released,
    yours: own.kinds,
    dialects: { ...own.dialects, ...Object.fromEntries(dialect.map(choiceIn)) },
    linking: { ...linkingOf(resources), ...(ignoreStatus ? { attachment: 'spec' } : {}) },
  });
}

function choiceIn(text: string): readonly [kind: string, dialect: string] {
  const [kind = '', dialect = '', ...more] = text.split('=');
  if (kind === '' || dialect === '' || more.length > 0) {
    throw new UsageError(
      `--dialect ${text} is not valid; write group/Kind=profile, such as example.com/RetryPolicy=gep713`,
    );
  }
  const profiles = dialects.map(({ name }) => name);
  if (profiles.includes(dialect)) return [kind, dialect];
  throw new UsageError(`--dialect ${text}: the profile ${dialect} does not exist; take one of ${profiles.join(', ')}`);
}
