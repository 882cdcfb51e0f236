import { objectIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namespace, object, worldOf } from '../tables/world.fixture.ts';
import { byProvider, type Entry, logsOf, metricsOf } from './telemetry.fixture.ts';

const workload = { selector: { matchLabels: { app: 'x' } } };
const base = [namespace('istio-system'), namespace('a'), object('v1 Pod', 'a/x', {}, { labels: { app: 'x' } })];
const telemetry = (path: string, spec: object, age = 0) =>
  object('telemetry.istio.io/v1 Telemetry', path, spec, { age });

function specOf(...policies: readonly ReturnType<typeof telemetry>[]) {
  const { specs, outcomes } = worldOf(...base, ...policies);
  return { spec: objectIn(specs['Pod a/x'] as never), outcomes };
}

describe('Telemetry', () => {
  it('merges tracing setting by setting for each side, and takes the first provider', () => {
    const { spec } = specOf(
      telemetry('istio-system/m', { tracing: [{ providers: [{ name: 'z' }, { name: 'y' }], customTags: { a: {} } }] }),
      telemetry('a/n', { tracing: [{ match: { mode: 'SERVER' }, customTags: { b: {} } }] }),
    );
    expect(spec).toEqual({
      tracing: { CLIENT: { provider: 'z', customTags: { a: {} } }, SERVER: { provider: 'z', customTags: { b: {} } } },
    });
  });

  it('counts the oldest of the mesh and of a namespace alone, and of those on a workload the newest most', () => {
    const sampling = (percentage: number) => ({ tracing: [{ randomSamplingPercentage: percentage }] });
    const { spec, outcomes } = specOf(
      telemetry('a/n', sampling(1)),
      telemetry('a/o', { tracing: [{ disableSpanReporting: true }] }, 1),
      telemetry('a/p', { ...workload, ...sampling(2) }, 2),
      telemetry('a/q', { ...workload, ...sampling(3) }, 3),
    );
    const side = { randomSamplingPercentage: 3 };
    expect(spec).toEqual({ tracing: { CLIENT: side, SERVER: side } });
    expect(outcomes).toEqual({ 'a/n': 'overridden', 'a/o': 'conflicted', 'a/p': 'overridden', 'a/q': 'enforced' });
  });

  it('replaces the providers of logs above, and changes the last ones by entries without providers', () => {
    const logs = (...accessLogging: readonly object[]) => ({ accessLogging });
    const replaced = specOf(
      telemetry('istio-system/m', logs({ providers: [{ name: 'e' }] })),
      telemetry('a/n', logs({ providers: [{ name: 'f' }] })),
    );
    expect(replaced.outcomes).toEqual({ 'istio-system/m': 'overridden', 'a/n': 'enforced' });
    const changed = specOf(
      telemetry('istio-system/m', logs({ providers: [{ name: 'e' }] }, { providers: [{ name: 'f' }] })),
      telemetry('a/n', logs({ disabled: true })),
    );
    const inherited = { disabled: true, isApplied: true };
    const side = { e: { disabled: false, isLast: false }, f: { disabled: true }, inherited };
    expect(changed.spec).toEqual({ accessLogging: { CLIENT: side, SERVER: side } });
    expect(changed.outcomes).toEqual({ 'istio-system/m': 'partly-enforced', 'a/n': 'enforced' });
  });

  it('leaves settings of metrics without effect if the providers that they are for are replaced', () => {
    const { outcomes } = specOf(
      telemetry('istio-system/m', { metrics: [{ providers: [{ name: 'p' }] }] }),
      telemetry('a/n', { metrics: [{ overrides: [{ disabled: true }] }] }),
      telemetry('a/w', { ...workload, metrics: [{ providers: [{ name: 'q' }], reportingInterval: '5s' }] }),
    );
    expect(outcomes).toEqual({ 'istio-system/m': 'overridden', 'a/n': 'overridden', 'a/w': 'enforced' });
  });

  const name = fc.constantFrom('p', 'q');
  const providers = fc.option(fc.uniqueArray(name, { minLength: 1 }), { nil: undefined });
  const named = providers.map((names) => (names === undefined ? {} : { providers: names.map((it) => ({ name: it })) }));
  const levels = (entry: fc.Arbitrary<object>) =>
    fc
      .array(fc.array(fc.tuple(named, entry), { maxLength: 3 }), { minLength: 3, maxLength: 4 })
      .map((all) => all.map((entries) => entries.map(([ours, more]): Entry => ({ ...ours, ...more }))));
  const places = ['istio-system/m', 'a/n', 'a/w', 'a/x'];
  const merged = (field: string, all: readonly (readonly Entry[])[]) =>
    specOf(
      ...all.map((entries, age) =>
        telemetry(places[age] ?? '', { ...(age > 1 ? workload : {}), [field]: entries }, age),
      ),
    ).spec;

  it('has the logs that Istio computes from the entries of all levels', () => {
    const entry = fc.record(
      { disabled: fc.boolean(), filter: fc.constantFrom({ expression: 'a' }, { expression: 'b' }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(levels(entry), (all) => {
        const { CLIENT: side } = objectIn(merged('accessLogging', all).accessLogging);
        expect(byProvider(side)).toEqual(logsOf(all));
      }),
    );
  });

  it('has the metrics that Istio computes from the entries of all levels', () => {
    const match = fc.record({ metric: fc.constantFrom('M', 'N', 'ALL_METRICS') });
    const tagOverrides = fc.dictionary(fc.constantFrom('s', 't'), fc.record({ value: fc.constantFrom('1', '2') }));
    const override = fc
      .record({ match, disabled: fc.boolean(), tagOverrides }, { requiredKeys: [] })
      .map(({ match: of, disabled, ...rest }) => {
        const isAll = of === undefined || of.metric === 'ALL_METRICS';
        return { match: of ?? {}, ...rest, ...(disabled === undefined || (isAll && !disabled) ? {} : { disabled }) };
      });
    const entry = fc.record({ overrides: fc.array(override, { maxLength: 3 }) }, { requiredKeys: [] });
    fc.assert(
      fc.property(levels(entry), (any) => {
        // Providers stand in the first entry of a policy.
        const all = any.map((entries) =>
          entries.map(({ providers: _, ...it }, place) => (place === 0 ? (entries[0] ?? it) : it)),
        );
        expect(byProvider(merged('metrics', all).metrics)).toEqual(metricsOf(all));
      }),
    );
  });
});
