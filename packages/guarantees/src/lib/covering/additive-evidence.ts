import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { formatPointer, objectIn } from '@policy-machinery/resource';
import { authorOf, type Evidence, type KindFacts } from './author.ts';
import type { Holds } from './conditions.ts';
import { byPrecedence, type FieldState, fieldStates } from './field-states.ts';

/** A policy of a group, with its effect on a concern. */
type Said = readonly [policy: string, state: FieldState | undefined];

/**
 * Returns the effects of additive policies: all that apply count. In a group, such as the ALLOW policies of Istio, one that lets everything through
 * makes the others void.
 *
 * @param effective The effective policy, with the specs by group and by policy.
 * @param facts The effects of the fields of its kind.
 * @param holds Evaluates conditions. They read the group as `spec.action`.
 */
export function additiveEvidence(
  effective: EffectivePolicy<unknown>,
  { fields }: KindFacts,
  holds: Holds,
): readonly Evidence[] {
  return Object.entries(objectIn(effective.spec)).flatMap(([group, policies]) => {
    const all = Object.entries(objectIn(policies)).map(([name, spec]) => {
      const action = group === 'policies' ? {} : { action: group };
      return [name, fieldStates(fields, { ...objectIn(spec), ...action }, holds)] as const;
    });
    const concerns = new Set(all.flatMap(([, states]) => [...states.keys()]));
    return [...concerns].flatMap((concern) => {
      const said = all.map(([name, states]): Said => [name, states.get(concern)]);
      return evidenceOfGroup(effective, concern, group, said);
    });
  });
}

function evidenceOfGroup(
  effective: EffectivePolicy<unknown>,
  concern: ConcernName,
  group: string,
  said: readonly Said[],
): readonly Evidence[] {
  const off = said.find(([, state]) => state?.state === 'off');
  const counting = said.flatMap(([name, state]) => (state === undefined ? [] : [{ name, state }]));
  // A request needs to match one of the policies that allow: each of them must ask for it.
  const isIncomplete = group === 'ALLOW' && said.some(([, state]) => state?.state !== 'completes');
  const [best] = counting
    .filter(({ state }) => state.state !== 'completes' || !isIncomplete)
    .sort((a, b) => byPrecedence(a.state, b.state));
  const hasOthers = counting.some(({ state }) => state.state === 'in-force');
  const [name, state] = off ?? [best?.name ?? '', best?.state];
  const [layer] = effective.originsOf(formatPointer([group, name]));
  if (state === undefined || layer === undefined) return [];
  const evidence = { concern, ...state, author: authorOf(layer, state.pointer) };
  return [state.state === 'off' && !hasOthers ? { ...evidence, state: 'void' } : evidence];
}
