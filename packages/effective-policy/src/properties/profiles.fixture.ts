/** The profiles: the packages' own values, and what the requirements' text says of each, as plain data for the oracle. */
import { append, appendText } from '@policy-machinery/merge';
import {
  envoyGateway,
  gep713,
  gep713Experimental,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type Profile,
} from '@policy-machinery/policy-kind';
import { conditions } from './conditions.fixture.ts';
import type { Rules } from './rules.fixture.ts';

/** The packages' values. */
export const profiles = {
  gep713: gep713(),
  gep713Experimental: gep713Experimental(),
  gep713ExperimentalWithLists: gep713Experimental({ maps: ['/q'], lists: { '/items': { keys: ['name'] } } }),
  kuadrant: kuadrant({ rules: ['/p', '/q/*'], conditions }),
  kgateway: kgateway({ deep: { '/list': append, '/text': appendText('+'), '/p/list': append } }),
  envoyGateway: envoyGateway({ mergeKeys: { '/items': { keys: ['name'] } } }),
  nginxGatewayFabric: nginxGatewayFabric(),
} satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

/** What holds where a source says nothing else: docs/semantics.md. */
export const usual = {
  sameLevel: 'oldest-wins',
  order: 'by age',
  fold: 'bottom-up',
  strategyChooser: { by: 'established' },
  withinObject: undefined,
  emptyChallenger: 'wins',
  emptyListsUnset: false,
  unset: false,
  conditions: undefined,
  resultConditions: false,
  ownValuePrecedence: 'most-specific',
} as const satisfies Partial<Rules>;

const experimental = {
  ...usual,
  dialect: { stanzas: 'defaults-and-overrides', field: false, names: {}, unselected: 'patch' },
  emptyListsUnset: true, // M-14
} as const satisfies Rules;

/** What the requirements say of each. */
export const profileRules: Readonly<Record<ProfileName, Rules>> = {
  gep713: {
    ...usual,
    profile: 'gep713',
    // M-21, X-05: one strategy in each; C-08: Atomic defaults if none is selected.
    dialect: {
      stanzas: 'single',
      field: 'strategy',
      names: { atomic: 'atomic', patch: 'patch' },
      unselected: 'atomic',
    },
    sameLevel: 'established-challenger', // C-02
  },
  gep713Experimental: { ...experimental, profile: 'gep713Experimental' },
  gep713ExperimentalWithLists: {
    ...experimental,
    profile: 'gep713ExperimentalWithLists',
    dialect: { ...experimental.dialect, unselected: 'experimental' }, // M-16, M-17
  },
  kuadrant: {
    ...usual,
    profile: 'kuadrant',
    dialect: {
      stanzas: 'defaults-and-overrides', // K-03
      field: 'strategy',
      names: { atomic: 'atomic', merge: 'rules' }, // K-01, K-05
      unselected: 'atomic',
    },
    sameLevel: 'established-challenger',
    emptyChallenger: 'yields', // K-08
    emptyWithout: ['p', 'q.*'], // K-08
    unset: true, // K-07
    conditions: 'applies', // K-06
  },
  kgateway: {
    ...usual,
    profile: 'kgateway',
    dialect: { stanzas: 'bare', field: false, names: {}, unselected: 'shallow' },
    order: 'by weight, then age', // G-12
    withinObject: { strategy: 'shallow', stanza: 'defaults' }, // G-04
    strategyChooser: {
      by: 'annotation', // G-05 to G-07
      values: {
        ShallowMergePreferChild: { strategy: 'shallow', stanza: 'defaults' },
        ShallowMergePreferParent: { strategy: 'shallow', stanza: 'overrides' },
        DeepMergePreferChild: { strategy: 'joinedFlat', stanza: 'defaults' },
        DeepMergePreferParent: { strategy: 'joinedFlat', stanza: 'overrides' },
      },
      otherwise: { strategy: 'shallow', stanza: 'defaults' },
    },
    ownValuePrecedence: 'highest', // G-09
  },
  envoyGateway: {
    ...usual,
    profile: 'envoyGateway',
    dialect: {
      stanzas: 'bare',
      field: 'mergeType',
      names: { StrategicMerge: 'strategic', JSONMerge: 'patch' }, // E-03
      unselected: 'atomic', // E-01
    },
    sameLevel: 'reject-newer', // E-05
    fold: 'closest-parent', // E-02
    strategyChooser: { by: 'challenger' },
    emptyListsUnset: true, // Its Go types leave out empty lists: docs/semantics.md.
    ownValuePrecedence: 'highest', // A rule's timeouts and retries prevail: docs/semantics.md.
  },
  nginxGatewayFabric: {
    ...usual,
    profile: 'nginxGatewayFabric',
    dialect: { stanzas: 'bare', field: false, names: {}, unselected: 'patch' }, // N-03
    sameLevel: 'coexist', // C-14
  },
};
