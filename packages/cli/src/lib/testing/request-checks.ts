import { traceRequest } from '@policy-machinery/gateway-api';
import { formatTarget } from '@policy-machinery/topology';
import { metPolicies } from '../answers/met-policies.ts';
import { commonExpressions } from '../answers/regular-expressions.ts';
import { tracesMeant } from '../answers/request-traces.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';
import { parseUrl } from '../names/parse-url.ts';
import type { Check, RequestExpectation, YamlPath } from './case.ts';
import { specChecks, viewNamed } from './spec-checks.ts';

/**
 * Compares the rule that takes a request, and the policies that the request meets, with the expected ones.
 *
 * @param world The world.
 * @param expects The expectation.
 * @param path The path of the case in the file.
 * @returns The checks.
 */
export function requestChecks(world: World, expects: RequestExpectation, path: YamlPath): readonly Check[] {
  const { url, method, headers, takenBy, meets } = expects;
  const written = parseUrl(url, { header: headers, ...(method === undefined ? {} : { method }) });
  const traces = traceRequest(world.topology, written.request, { regularExpression: commonExpressions() });
  const winners = tracesMeant(traces, written).flatMap(({ winner }) => winner ?? []);
  const taken = [...new Set(winners.map(({ rule, route }) => formatTarget(rule ?? route)))];
  const nothing: readonly string[] = ['No route takes the request.'];
  const checks: Check[] = [];
  if (takenBy !== undefined) {
    const want = takenBy === null ? null : formatTarget(findTarget(world, [takenBy]).item);
    const got = taken.length === 0 ? null : taken.join(', ');
    const why = got === want ? [] : got === null ? nothing : [`The request is taken by ${got}.`];
    checks.push({ what: 'taken by', want, got, isAsExpected: got === want, why, path: [...path, 'takenBy'] });
  }
  if (takenBy === undefined && Object.keys(meets).length === 0) {
    const got = taken.length === 0 ? null : taken.join(', ');
    const why = ['The case expects nothing; add takenBy or meets, or run with --update to write the computed values.'];
    checks.push({ what: 'taken by', want: undefined, got, isAsExpected: false, why, path: [...path, 'takenBy'] });
  }
  for (const [kind, spec] of Object.entries(meets)) {
    const view = viewNamed(world, kind);
    const at = [...path, 'meets', kind];
    const paths = winners.flatMap((winner) => [...winner.paths]);
    const met = paths.flatMap((each) => metPolicies(view, each));
    if (met.length === 0) {
      const why = taken.length === 0 ? nothing : [`${taken.join(', ')} meets no ${view.found.kind.kind}.`];
      checks.push({ what: kind, want: spec, got: null, isAsExpected: false, why, path: at });
    }
    for (const policy of met) {
      checks.push(
        ...specChecks(view, policy, spec, { isExact: false, path: at }).map((check) => ({
          ...check,
          what: `${kind} ${check.what}`,
        })),
      );
    }
  }
  return checks;
}
