import { atomic, none, patch } from '@policy-machinery/merge';
import {
  additiveSpec,
  agentgateway,
  bareSpec,
  envoyGateway,
  gep713,
  gep713Experimental,
  gloo,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type Profile,
} from '@policy-machinery/policy-kind';

/** Rules for reading and merging the policies of a kind, under a name that people can write on a command line. */
export interface Dialect {
  /** `gep713`. */
  readonly name: string;
  /** Its description, in one sentence. */
  readonly description: string;
  readonly profile: Profile;
}

const bare = (strategies: NonNullable<Parameters<typeof bareSpec>[0]>['strategies'] & object): Profile => ({
  stanzas: bareSpec({ strategies, strategyField: false }),
});

/** The dialects that `--dialect group/Kind=name` can choose, in the order of lists. */
export const dialects: readonly Dialect[] = [
  {
    name: 'gep713',
    description:
      'GEP-713: defaults, overrides or a bare spec, merged by the strategy that the policy selects: atomic or patch.',
    profile: gep713(),
  },
  {
    name: 'gep713-experimental',
    description: 'GEP-713 of 2023: default and override in one policy, merged field by field.',
    profile: gep713Experimental(),
  },
  {
    name: 'kuadrant',
    description: 'Kuadrant: defaults and overrides, atomic or merged rule by rule, with the rules in limits or rules.',
    profile: kuadrant({ rules: ['/limits', '/rules/*', '/rules/response/success/*'], definitions: ['/patterns'] }),
  },
  {
    name: 'kgateway',
    description: 'kgateway: top-level fields by weight, then age; an annotation of the parent decides who prevails.',
    profile: kgateway(),
  },
  {
    name: 'envoy-gateway',
    description:
      'Envoy Gateway: the more specific policy replaces its parent, or is merged with it as its mergeType says.',
    profile: envoyGateway(),
  },
  {
    name: 'nginx-gateway-fabric',
    description:
      'NGINX Gateway Fabric: merged field by field, and policies of one target can coexist if no field is set twice.',
    profile: nginxGatewayFabric(),
  },
  {
    name: 'agentgateway',
    description:
      'agentgateway: the fields of frontend, traffic and backend by specificity; strategy.inheritance locks single settings.',
    profile: agentgateway(),
  },
  {
    name: 'gloo',
    description:
      'Gloo Gateway: the fields of options; parent routes prevail, unless an annotation lets children do so.',
    profile: gloo(),
  },
  {
    name: 'additive',
    description: 'All policies on a target apply, and none overrides another.',
    profile: { stanzas: additiveSpec({ groups: ['policies'] }) },
  },
  {
    name: 'none',
    description: 'Not merged: the oldest policy on a target is in force, and the others are in conflict.',
    profile: bare({ none }),
  },
  {
    name: 'atomic',
    description: 'The most specific policy replaces all others as a whole.',
    profile: bare({ atomic }),
  },
  {
    name: 'patch',
    description: 'The more specific policies replace fields of less specific ones.',
    profile: bare({ patch }),
  },
];

/**
 * Returns the dialect of a name.
 *
 * @param name Its name: `gep713`.
 * @returns The dialect; `undefined` if there is none of this name.
 */
export function dialectNamed(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}
