/** How the policies of a random world are written and merged: as plain data, for the oracle, and as a policy kind. */
import { byAge, byName, byWeight } from '@policy-machinery/conflict';
import {
  bareSpec,
  byAnnotation,
  byChallenger,
  byConfiguration,
  byEstablished,
  defaultsAndOverrides,
  definePolicyKind,
  type StrategyChoice as EngineChoice,
  emptyListsUnset,
  type PolicyKind,
  type StanzaReader,
  type StrategyChooser,
  withConditions,
  withUnset,
} from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { anySpec } from '../conformance/policies.fixture.ts';
import { conditions } from './conditions.fixture.ts';
import { carePolicy, Museum, museumKinds } from './museum.fixture.ts';
import { type ProfileName, profiles } from './profiles.fixture.ts';
import { type StrategyName, strategies } from './strategies.fixture.ts';

export interface Choice {
  readonly strategy: StrategyName;
  readonly stanza: 'defaults' | 'overrides';
}

/** How policies say what they say. */
export interface Dialect {
  /** `bare`: the fields are beside the targets. Else what may stand together. */
  readonly stanzas: 'bare' | 'single' | 'defaults-and-overrides' | 'all';
  /** The field that selects a strategy; `false` if none can be selected. */
  readonly field: string | false;
  /** What it may say. */
  readonly names: Readonly<Record<string, StrategyName>>;
  /** The strategy of policies that select none. */
  readonly unselected: StrategyName;
}

/** Who chooses the strategy between levels. */
export type ChooserRule =
  | { readonly by: 'established' }
  | { readonly by: 'challenger' }
  | { readonly by: 'annotation'; readonly values: Readonly<Record<string, Choice>>; readonly otherwise: Choice }
  | { readonly by: 'configuration'; readonly choice: Choice };

export interface Rules {
  /** The profile that says all this, for the engine; the oracle goes by what stands here. */
  readonly profile?: ProfileName;
  readonly dialect: Dialect;
  readonly sameLevel: 'oldest-wins' | 'established-challenger' | 'reject-newer' | 'coexist';
  readonly order: 'by age' | 'by weight, then age';
  readonly fold: 'bottom-up' | 'gep-stack' | 'closest-parent';
  readonly strategyChooser: ChooserRule;
  readonly withinObject: Choice | undefined;
  readonly emptyChallenger: 'wins' | 'yields';
  /** The paths of rules without which a spec counts as empty under Atomic. */
  readonly emptyWithout?: readonly string[];
  readonly emptyListsUnset: boolean;
  /** Whether policies can unset fields. */
  readonly unset: boolean;
  /** Whether stanzas can have conditions, and what becomes of those that fail. */
  readonly conditions: 'applies' | 'is-left-out' | undefined;
  /** Whether overrides can have conditions on the result, in `whenResult`. */
  readonly resultConditions: boolean;
  readonly ownValuePrecedence: 'most-specific' | 'highest';
}

/** What of a kind no profile says. */
export interface KindOptions {
  /** The kinds above whose objects a namespace counts; `undefined` for all. */
  readonly namespaceLevels: readonly 'Museum'[] | undefined;
  readonly extensionRefs: boolean;
  /** Whether policies of a target count for what is below as well. */
  readonly policyClass: 'Direct' | 'Inherited';
}

export const weightAnnotation = 'kgateway.dev/policy-weight';
export const modeAnnotation = 'kgateway.dev/inherited-policy-priority';

/** Returns the policy kind of a world. It may target everything and has an effect on everything. */
export function policyKindOf(
  rules: Rules,
  { namespaceLevels, extensionRefs, policyClass }: KindOptions,
): PolicyKind<Spec> {
  const targets = museumKinds.flatMap((kind) => [kind, ...Object.values(kind.sections)]);
  return definePolicyKind({
    ...(rules.profile === undefined ? optionsOf(rules) : profiles[rules.profile]),
    ...carePolicy,
    version: 'v1',
    targets,
    spec: anySpec,
    ...(namespaceLevels === undefined ? {} : { namespaceLevels: [Museum] }),
    extensionRefs,
    policyClass,
    crossNamespace: 'allow',
    ownValue: ({ resource, section }) => {
      const { own } = section?.value ?? (resource.spec as JsonObject | undefined) ?? {};
      return isJsonObject(own) ? own : undefined;
    },
  });
}

type Spec = Record<string, unknown>;

function optionsOf(rules: Rules) {
  const { sameLevel, fold, emptyChallenger, ownValuePrecedence, order, withinObject } = rules;
  return {
    stanzas: stanzasOf(rules),
    sameLevel,
    fold,
    emptyChallenger,
    ownValuePrecedence,
    strategyChooser: chooserOf(rules.strategyChooser),
    ...(order === 'by age' ? {} : { order: [byWeight(weightAnnotation), byAge, byName] }),
    ...(withinObject === undefined ? {} : { withinObject: choiceOf(withinObject) }),
  };
}

function stanzasOf({ dialect, ...rules }: Rules): StanzaReader {
  const { stanzas: together, field: strategyField, names, unselected } = dialect;
  const selectable = Object.entries(names).map(([name, strategy]) => [name, strategies[strategy]] as const);
  const options = {
    strategies: Object.fromEntries(selectable),
    defaultStrategy: strategies[unselected],
    strategyField,
  };
  let reader = together === 'bare' ? bareSpec(options) : defaultsAndOverrides({ ...options, together });
  if (rules.emptyListsUnset) reader = emptyListsUnset(reader);
  if (rules.unset) reader = withUnset(reader);
  if (rules.conditions === undefined) return reader;
  const failing = rules.conditions;
  const onBelow = withConditions(reader, conditions, { failing });
  if (!rules.resultConditions) return onBelow;
  return withConditions(onBelow, conditions, { failing, field: 'whenResult', on: 'result' });
}

function choiceOf({ strategy, stanza }: Choice): EngineChoice {
  return { strategy: strategies[strategy], stanza };
}

function chooserOf(strategyChooser: ChooserRule): StrategyChooser {
  if (strategyChooser.by === 'established') return byEstablished;
  if (strategyChooser.by === 'challenger') return byChallenger;
  if (strategyChooser.by === 'configuration') return byConfiguration(choiceOf(strategyChooser.choice));
  const values = Object.entries(strategyChooser.values).map(([value, choice]) => [value, choiceOf(choice)] as const);
  const otherwise = choiceOf(strategyChooser.otherwise);
  return byAnnotation({ annotation: modeAnnotation, values: Object.fromEntries(values), otherwise });
}
