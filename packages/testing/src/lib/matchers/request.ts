import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { type HttpRequest, type RequestTrace, type TraceOptions, traceRequest } from '@policy-machinery/gateway-api';
import { formatTarget } from '@policy-machinery/topology';
import { explainPolicies } from './explain.ts';
import { type NamedPolicy, policyName } from './names.ts';
import { indented, type MatcherContext, type MatcherResult, result } from './result.ts';

/** A request, and where it arrives. */
export type TestedRequest = HttpRequest & Pick<TraceOptions, 'gateway' | 'client'>;

/** Compares the policies that set the effective policy of a request, on each of its paths. */
export function toMeet(
  this: MatcherContext,
  effective: EffectivePolicies<unknown>,
  tested: TestedRequest,
  policies: readonly NamedPolicy[],
): MatcherResult {
  const { gateway, client, ...request } = tested;
  const options = { ...(gateway === undefined ? {} : { gateway }), ...(client === undefined ? {} : { client }) };
  const traces = traceRequest(effective.topology, request, options);
  const met = traces.flatMap(({ winner }) => [...(winner?.paths ?? [])].map((path) => effective.along(path).at(-1)));
  const names = met.map((policy) => (policy === undefined ? [] : settersIn(policy)));
  const expected = policies.map(policyName).sort();
  const pass = names.length > 0 && names.every((each) => this.equals(each, expected));
  const { method = 'GET', host = '', path = '/' } = request;
  return result(
    pass,
    {
      subject: `the request ${method} ${host}${path}`,
      expectation: `to meet ${expected.length === 0 ? 'no policies' : expected.join(' and ')}`,
      explanation: () => explain(effective, traces),
    },
    { actual: names.length === 1 ? names[0] : names, expected },
  );
}

function settersIn(policy: EffectivePolicy<unknown>): readonly string[] {
  return [...new Set(policy.originsOf('').map((layer) => layer.policy.name))].sort();
}

function explain(effective: EffectivePolicies<unknown>, traces: readonly RequestTrace[]): string {
  if (traces.length === 0) return 'No Gateway takes the request.';
  return traces.map((trace) => explainTrace(effective, trace)).join('\n');
}

function explainTrace(effective: EffectivePolicies<unknown>, { entry, port, winner, unmatched }: RequestTrace): string {
  const place = `${formatTarget(entry)}, port ${port}`;
  if (winner === undefined) {
    const reasons = unmatched.map(({ route, rule, reason }) => indented(`${formatTarget(rule ?? route)}: ${reason}`));
    return [`At ${place}, nothing takes the request:`, ...reasons].join('\n');
  }
  const policies = new Set([...winner.paths].flatMap((path) => effective.along(path).slice(-1)));
  const met = policies.size === 0 ? `No ${effective.kind.kind} reaches it.` : explainPolicies([...policies]);
  return [`At ${place}, ${formatTarget(winner.rule ?? winner.route)} takes the request:`, met].join('\n');
}
