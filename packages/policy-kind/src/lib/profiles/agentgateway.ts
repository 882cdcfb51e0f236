import { fieldWise, type MergeStrategy, omitFields } from '@policy-machinery/merge';
import { isJsonObject, type JsonValue } from '@policy-machinery/resource';
import { targetFields, without } from '../stanzas/bare-spec.ts';
import type { Fault, StanzaReader } from '../stanzas/stanza-reader.ts';
import { chooseStrategy, selection } from '../stanzas/strategy-choice.ts';
import type { Profile } from './profiles.ts';

/** The fields of each part are merged, and are wholes themselves. */
const byPart = fieldWise({ depth: 2 });

/** The same, but more specific policies cannot change `traffic`. */
const authoritative: MergeStrategy = {
  granularity: 'Custom',
  ...(byPart.unitAt && { unitAt: byPart.unitAt }),
  overrides: (established, challenger) => {
    const hasTraffic = established.value.traffic !== undefined;
    return byPart.defaults(established, hasTraffic ? omitFields(challenger, '/traffic') : challenger);
  },
};

/**
 * Returns the profile of agentgateway's AgentgatewayPolicy: the fields of each part (`frontend`, `traffic`, `backend`) are merged, each as a
 * whole, and the more specific policy prevails. With `strategy.inheritance: Override`, the traffic settings of more specific policies
 * do not count. Policies can select targets by label; statuses have an entry for the Gateway, also of what is below a ListenerSet.
 *
 * @returns The profile.
 */
export function agentgateway() {
  return {
    stanzas: byInheritance,
    sameLevel: 'oldest-wins',
    targetSelectors: true,
  } satisfies Profile;
}
/** @hidden */
agentgateway.uncalled = 'agentgateway' as const;

const strategies = { Default: byPart, Override: authoritative };
const options = { strategies, defaultStrategy: 'Default', because: selection } as const;

const byInheritance: StanzaReader = {
  strategies,
  read(spec) {
    const inheritance = inheritanceIn(spec.strategy);
    const { choice, fault } = chooseStrategy(options, inheritance, ['defaults', 'overrides'], 'strategy.inheritance');
    const misplaced = inheritance !== undefined && spec.traffic === undefined ? notForTraffic : undefined;
    const faults = [fault, misplaced].flatMap((message): readonly Fault[] =>
      message === undefined ? [] : [{ message, pointer: '/spec/strategy/inheritance' }],
    );
    const proper = without(spec, [...targetFields, 'strategy']);
    return { layers: choice === undefined ? [] : [{ spec: proper, pointer: '/spec', ...choice }], faults };
  },
  shape: {
    stanzas: [{ field: undefined, fields: {} }],
    fields: {
      strategy: {
        type: 'object',
        properties: { inheritance: { type: 'string', enum: Object.keys(strategies) } },
        description: 'How this policy meets more specific ones.',
      },
    },
    exclusive: [],
    oneOf: [],
  },
};

const notForTraffic = 'inheritance is about traffic settings, and the policy has none; add some, or remove inheritance';

/** Returns how a policy is inherited, as it declares. A value that is no object selects no strategy, and is a fault. */
function inheritanceIn(strategy: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(strategy) ? strategy.inheritance : strategy;
}
