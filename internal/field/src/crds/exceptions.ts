import type { Difference } from './compare.ts';

/** Differences between the table and a definition that are meant, with the reason. */
export interface Exception {
  /** The kinds: `TrafficPolicy.gateway.kgateway.dev`, or all of a group: `*.gateway.kgateway.dev`; `*` for all. */
  readonly kinds: readonly string[];
  readonly facts: readonly string[];
  /** The reason, as a sentence. */
  readonly reason: string;
}

/** All differences that are meant. One that is no longer needed is a fault. */
export const exceptions: readonly Exception[] = [
  {
    kinds: ['*.gateway.envoyproxy.io'],
    facts: ['kinds of selected targets'],
    reason:
      'The definition has one list of kinds for the selectors of all policies. In Envoy Gateway, a policy can select the kinds that it can name.',
  },
  {
    kinds: ['*.gateway.kgateway.dev'],
    facts: ['targets'],
    reason:
      'The stored definition is of February 2025, before kgateway 2.0, which added targetRefs, sectionName and targetSelectors.',
  },
  {
    kinds: ['AgentgatewayPolicy.agentgateway.dev', 'ListenerPolicy.gateway.kgateway.dev'],
    facts: ['class'],
    reason:
      'The label says Direct, but policies on a Gateway apply to objects below it: to routes, or to the listeners of ListenerSets.',
  },
  {
    kinds: ['AgentgatewayPolicy.agentgateway.dev'],
    facts: ['fields of a selector that may be left out'],
    reason:
      'API servers refuse a selector without matchLabels. Without the definition it selects all targets of its kind.',
  },
  {
    kinds: ['EnvoyFilter.networking.istio.io'],
    facts: ['fields of a reference that may be left out'],
    reason: 'A reference without a group names a kind of the core group, where EnvoyFilters do not apply.',
  },
  {
    kinds: ['*.istio.io'],
    facts: ['kinds of core that may be written with the group core'],
    reason: 'Istio takes the groups core and "" for the same. Its definitions do not limit groups.',
  },
  {
    kinds: ['*.istio.io'],
    facts: ['fields of a reference'],
    reason: 'Istio reads only the namespace of the policy.',
  },
  {
    kinds: ['*.gateway.solo.io'],
    facts: ['fields of a reference that may be left out'],
    reason:
      'The definitions come from Protocol Buffers, without required fields. A reference without a group, a kind or a name finds nothing.',
  },
  {
    kinds: ['*.gateway.solo.io', '*.application-networking.k8s.aws', '*.networking.gke.io', '*.consul.hashicorp.com'],
    facts: ['fields of a reference'],
    reason:
      'Whether a namespace or selector in a reference reaches beyond the namespace of the policy is not known, so such a policy is reported and not attached.',
  },
  {
    kinds: ['GCPServerTLSPolicy.networking.gke.io'],
    facts: ['targets'],
    reason:
      'Its references have a selector in place of a name, which the comparison does not cover. Tests of the table do.',
  },
  {
    kinds: ['*'],
    facts: ['lists whose items have keys'],
    reason:
      'Keys decide how API servers merge applied changes. Between policies, systems replace lists; rows of Envoy Gateway have the keys of its Go types (patchMergeKey).',
  },
  {
    kinds: ['*'],
    facts: ['fields with default values'],
    reason: 'They are read from the definition, if it is among the resources.',
  },
];

/** Returns the exception for a difference; `undefined` if it is not meant. */
export function exceptionFor({ kind, fact }: Pick<Difference, 'kind' | 'fact'>): Exception | undefined {
  return exceptions.find((exception) => exception.facts.includes(fact) && isAbout(exception, kind));
}

/** Returns whether an exception is about a kind. */
export function isAbout({ kinds }: Exception, kind: string): boolean {
  return kinds.some((it) => matches(it, kind));
}

function matches(pattern: string, kind: string): boolean {
  return pattern.startsWith('*') ? kind.endsWith(pattern.slice(1)) : kind === pattern;
}
