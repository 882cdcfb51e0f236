import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { isAdditive } from '@policy-machinery/policy-kind/inner';
import { formatPointer, type JsonObject, objectIn } from '@policy-machinery/resource';
import { additiveEvidence } from './additive-evidence.ts';
import { authorOf, type Evidence, type KindFacts, weakenerIn } from './author.ts';
import type { Holds } from './conditions.ts';
import { type FieldState, type FieldStates, fieldStates } from './field-states.ts';
import { mergedEvidence } from './merged-evidence.ts';

/**
 * Returns the effect of an effective policy on each concern. Policies of unknown age may be merged in several ways: if these differ, it
 * is not known.
 *
 * @param facts The effects of the fields of its kind.
 */
export function evidenceOf(effective: EffectivePolicy<unknown>, facts: KindFacts, holds: Holds): readonly Evidence[] {
  const own = evidenceOfOne(effective, facts, holds);
  const { alternatives } = effective;
  if (alternatives?.length === 1) return own;
  const others = alternatives?.map((it) => evidenceOfOne(it, facts, holds));
  return own.map((evidence) => {
    const isCertain = others?.every((all) => all.some((it) => isAlike(it, evidence))) ?? false;
    const because = 'the ages of policies decide, and are not known';
    return isCertain ? evidence : { ...evidence, state: 'unknown', strength: 'unknown', because };
  });
}

function isAlike(a: Evidence, b: Evidence): boolean {
  return a.concern === b.concern && a.state === b.state && a.strength === b.strength;
}

function evidenceOfOne(effective: EffectivePolicy<unknown>, facts: KindFacts, holds: Holds): readonly Evidence[] {
  const spec = objectIn(effective.spec);
  if (isAdditive(facts.kind.stanzas)) return additiveEvidence(effective, facts, holds);
  return facts.isMerged ? mergedEvidence(effective, facts, holds) : unmergedEvidence(effective, spec, facts, holds);
}

/** Returns the effect of policies of a kind with unknown merging: if several levels differ, the prevailing one is not known. */
function unmergedEvidence(
  effective: EffectivePolicy<unknown>,
  spec: JsonObject,
  facts: KindFacts,
  holds: Holds,
): readonly Evidence[] {
  const policies = Object.entries(spec).flatMap(([name, own]) => {
    const [layer] = effective.originsOf(formatPointer([name]));
    return layer === undefined ? [] : [{ layer, states: statesInStanzas(objectIn(own), facts, holds) }];
  });
  const concerns = new Set(policies.flatMap(({ states }) => [...states.keys()]));
  return [...concerns].flatMap((concern): readonly Evidence[] => {
    const said = policies.map(({ states }) => states.get(concern));
    const deepest = policies.findLastIndex(({ states }) => states.has(concern));
    const [state, layer] = [said[deepest], policies[deepest]?.layer];
    if (state === undefined || layer === undefined) return [];
    const evidence = { concern, ...state, author: authorOf(layer, state.pointer), ...weakenerIn(layer, state) };
    const isAgreed = said.every((it) => it?.state === state.state && it.strength === state.strength);
    if (isAgreed) return [state.state === 'off' ? { ...evidence, state: 'void' } : evidence];
    const because = `how policies of the kind ${facts.kind.kind} are merged is not known, and those here differ`;
    return [{ ...evidence, state: 'unknown', strength: 'unknown', because }];
  });
}

export function statesInStanzas(spec: JsonObject, { fields, stanzas = [''] }: KindFacts, holds: Holds): FieldStates {
  const states = new Map<ConcernName, FieldState>();
  for (const stanza of stanzas) {
    const own = stanza === '' ? spec : objectIn(spec[stanza.slice(1)]);
    for (const [concern, state] of fieldStates(fields, own, holds)) states.set(concern, state);
  }
  return states;
}
