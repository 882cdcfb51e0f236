import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { maskSecrets } from '@policy-machinery/policy-kind';
import { type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { formatFields } from '@policy-machinery/text';
import { fieldsFor } from '../answers/fields.ts';
import { UsageError } from '../model/usage-error.ts';
import type { PolicyView, World } from '../model/world.ts';
import { kindNamed, namedKinds } from '../names/named-kinds.ts';
import type { Check, YamlPath } from './case.ts';
import { differences } from './differences.ts';

/** Returns the policy kind that a word names. */
export function viewNamed(world: World, word: string): PolicyView {
  const kinds = namedKinds(world).filter(({ isPolicy }) => isPolicy);
  const { group, kind } = kindNamed(word, kinds);
  const view = world.views.find(({ found }) => found.kind.group === group && found.kind.kind === kind);
  if (view === undefined) throw new UsageError(`${word} is not a policy kind`);
  return view;
}

/** Compares fields of an effective spec. A spec without differences is one check. */
export function specChecks(
  view: PolicyView,
  policy: EffectivePolicy<unknown>,
  want: JsonObject,
  { isExact, path }: { readonly isExact: boolean; readonly path: YamlPath },
): readonly Check[] {
  const spec = policy.spec as JsonObject;
  const found = differences(want, spec, isExact);
  if (found.length === 0) return [{ what: 'spec', want, got: spec, isAsExpected: true, why: [], path }];
  return found.map(({ pointer, want, got }) => ({
    what: pointer || 'spec',
    want,
    got,
    isAsExpected: false,
    hasSecrets: hasSecrets(view, pointer, [want, got]),
    why: whyOf(view, policy, pointer),
    path: [...path, ...parsePointer(pointer)],
  }));
}

/** Returns whether values of a field have secrets. */
export function hasSecrets(
  { secrets }: PolicyView,
  pointer: string,
  values: readonly (JsonValue | undefined)[],
): boolean {
  return values.some((value) => value !== undefined && maskSecrets(value, pointer, secrets) !== value);
}

/** Compares the policy that set a field of an effective spec. */
export function setterCheck(
  view: PolicyView,
  policy: EffectivePolicy<unknown>,
  { pointer, want, path }: { readonly pointer: string; readonly want: string; readonly path: YamlPath },
): Check {
  const names = [...new Set(policy.originsOf(pointer).map((layer) => layer.policy.name))];
  const got = names.join(', ');
  return {
    what: `${pointer} set by`,
    want,
    got: got === '' ? null : got,
    isAsExpected: got === want,
    why: got === want ? [] : whyOf(view, policy, pointer),
    path: [...path, 'setBy', pointer],
  };
}

/** Returns the explanation of a field, in lines: its origin, the losses and their reasons. */
export function whyOf(view: PolicyView, policy: EffectivePolicy<unknown>, pointer: string): readonly string[] {
  const fields = fieldsFor(policy.fields, view, view.found.merging === 'known' ? pointer : '');
  const [top] = parsePointer(pointer);
  const near = fields.length > 0 || top === undefined ? fields : fieldsFor(policy.fields, view, `/${top}`);
  const text = formatFields({ fields: near });
  return text === '' ? [`No policy sets ${pointer || 'anything'} there.`] : text.split('\n');
}
