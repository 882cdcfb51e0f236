import fc from 'fast-check';
import { profileRules, usual } from './profiles.fixture.ts';
import type { Choice, ChooserRule, Rules } from './rules.fixture.ts';
import { merging, type StrategyName } from './strategies.fixture.ts';

function chooserBy(choice: fc.Arbitrary<Choice>): fc.Arbitrary<ChooserRule> {
  const [annotation, configuration] = [fc.constant('annotation' as const), fc.constant('configuration' as const)];
  const values = fc.record({ a: choice, b: choice });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ by: 'established' } as const) },
    { weight: 1, arbitrary: fc.constant({ by: 'challenger' } as const) },
    { weight: 1, arbitrary: fc.record({ by: annotation, values, otherwise: choice }) },
    { weight: 1, arbitrary: fc.record({ by: configuration, choice }) },
  );
}

/** Every option with every other, and all strategies in one kind. */
export const mergingRules: fc.Arbitrary<Rules> = rulesWith(merging);

/** Returns the same, with some of the strategies only. */
export function rulesWith(names: readonly StrategyName[]): fc.Arbitrary<Rules> {
  const known = Object.fromEntries(names.map((name) => [name, name]));
  const choice: fc.Arbitrary<Choice> = fc.record({
    strategy: fc.constantFrom(...names),
    stanza: fc.constantFrom('defaults', 'overrides'),
  });
  const rules: fc.Arbitrary<Rules> = fc.record({
    dialect: fc.record({
      stanzas: fc.constantFrom('single', 'defaults-and-overrides', 'all'),
      field: fc.constant('strategy'),
      names: fc.constant(known),
      unselected: fc.constantFrom(...names),
    }),
    sameLevel: fc.constantFrom('oldest-wins', 'established-challenger', 'reject-newer', 'coexist'),
    order: fc.constantFrom('by age', 'by weight, then age'),
    fold: fc.constantFrom('bottom-up', 'bottom-up', 'gep-stack', 'closest-parent'),
    strategyChooser: chooserBy(choice),
    withinObject: fc.option(choice, { freq: 3, nil: undefined }),
    emptyChallenger: fc.constantFrom('wins', 'yields'),
    emptyListsUnset: fc.boolean(),
    unset: fc.boolean(),
    conditions: fc.constantFrom(undefined, 'applies', 'is-left-out'),
    resultConditions: fc.boolean(),
    ownValuePrecedence: fc.constantFrom('most-specific', 'most-specific', 'highest'),
  });
  return fc
    .tuple(rules, fc.boolean())
    .map(([it, plain]) => (plain ? layerByLayer(it) : isLayerByLayer(it) ? it : withoutJsonPatch(it)));
}

function layerByLayer(rules: Rules): Rules {
  const fold = rules.fold === 'gep-stack' ? 'bottom-up' : rules.fold;
  return { ...rules, fold, withinObject: undefined, strategyChooser: { by: 'established' } };
}

/** Only then can there be a strategy whose specs say how to change what lies below them. */
function isLayerByLayer({ fold, withinObject, strategyChooser }: Rules): boolean {
  return fold !== 'gep-stack' && withinObject === undefined && strategyChooser.by === 'established';
}

function withoutJsonPatch(rules: Rules): Rules {
  return JSON.parse(JSON.stringify(rules, (_key, value) => (value === 'jsonPatch' ? 'patch' : value))) as Rules;
}

/** None, which stands alone (C-07). */
const noneRules: fc.Arbitrary<Rules> = fc.record({
  ...fixed(usual),
  dialect: fc.constant({ stanzas: 'bare', field: 'strategy', names: { none: 'none' }, unselected: 'none' } as const),
  sameLevel: fc.constantFrom('oldest-wins', 'established-challenger'),
  order: fc.constantFrom('by age', 'by weight, then age'),
});

function fixed<Value extends object>(value: Value): { [Key in keyof Value]: fc.Arbitrary<Value[Key]> } {
  const arbitraries = Object.entries(value).map(([key, it]) => [key, fc.constant(it)]);
  return Object.fromEntries(arbitraries) as { [Key in keyof Value]: fc.Arbitrary<Value[Key]> };
}

/** All rules there are: free ones, None, and the profiles. */
export const anyRules: fc.Arbitrary<Rules> = fc.oneof(
  { weight: 5, arbitrary: mergingRules },
  { weight: 1, arbitrary: noneRules },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(profileRules)) },
);
