import { fieldWise, type MergeStrategy, omitFields } from '@policy-machinery/merge';
import { formatPointer, isJsonObject } from '@policy-machinery/resource';
import { byAnnotation } from '../kind/strategy-chooser.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import type { StrategyChoice } from '../stanzas/strategy-choice.ts';
import type { Profile } from './profiles.ts';

/** The fields of `options` are merged, and are wholes themselves. */
const byOption = fieldWise({ depth: 2 });
const preferChild: StrategyChoice = { strategy: byOption, stanza: 'defaults' };

/**
 * Returns the profile of the options of Gloo Gateway 1.x, such as RouteOption: the fields of `options` are merged, each as a whole. An option that a
 * rule names in a filter prevails over options that target the route, the older of these over the younger, and a parent route over the routes that
 * it delegates to. An annotation of the parent lets its children prevail, in all fields or in some.
 *
 * @returns The profile.
 */
export function gloo() {
  return {
    policyClass: 'Inherited', // Routes pass policies on to the routes to which they delegate.
    stanzas: bareSpec({ strategies: { byOption }, strategyField: false }),
    sameLevel: 'oldest-wins',
    withinObject: preferChild,
    extensionRefs: true,
    strategyChooser: byAnnotation({
      annotation: 'delegation.gateway.solo.io/enable-policy-overrides',
      values: (fields) => (fields === '*' ? preferChild : preferParentBut(fields.split(','))),
      otherwise: { strategy: byOption, stanza: 'overrides' },
    }),
  } satisfies Profile;
}
/** @hidden */
gloo.uncalled = 'gloo' as const;

/** Returns the choice where the parent prevails, except for some fields of the options, regardless of case. */
function preferParentBut(fields: readonly string[]): StrategyChoice {
  const open = new Set(fields.map((field) => field.trim().toLowerCase()));
  const strategy: MergeStrategy = {
    ...byOption,
    overrides: (established, challenger) => {
      const { options } = challenger.value;
      const set = isJsonObject(options) ? Object.keys(options).filter((field) => open.has(field.toLowerCase())) : [];
      const pointers = set.map((field) => formatPointer(['options', field]));
      return byOption.overrides(omitFields(established, ...pointers), challenger);
    },
  };
  return { strategy, stanza: 'overrides' };
}
