import {
  canariesAlike,
  everyRequestMeets,
  type Guarantee,
  gatewaysAlike,
  guaranteeDefinition,
  guaranteeKind,
  limitsAtMost,
  noPolicyWithoutEffect,
  noWildcardWithout,
  overridesPrevail,
  tlsOnListeners,
} from '@policy-machinery/guarantees';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { kubectl } from '../cluster.ts';
import { runProgramForOutputs } from '../processes.ts';

const cluster = inject('cluster');
const kind = 'AuthPolicy';
const definition = `crd/${guaranteeDefinition.metadata.name}`;

/** Returns what the API server says about a guarantee: nothing if it takes it. */
async function refusal({ name, ...spec }: Guarantee): Promise<string> {
  const { group, version, kind } = guaranteeKind;
  const resource = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  const args = ['--kubeconfig', cluster.kubeconfig, 'apply', '--dry-run=server', '-f', '-'];
  return (await runProgramForOutputs(cluster.kubectl, args, JSON.stringify(resource))).errors.trim();
}

describe('the kind Guarantee, on a real API server', () => {
  beforeAll(async () => {
    await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(guaranteeDefinition));
    await kubectl(cluster, ['wait', '--for=condition=Established', definition, '--timeout=120s']);
    await vi.waitFor(async () => expect(await refusal(everyRequestMeets({ kind }))).toBe(''), { timeout: 120_000 });
  });
  afterAll(() => kubectl(cluster, ['delete', definition, '--ignore-not-found', '--wait=false']));

  it.each([
    everyRequestMeets({ kind, except: [{ hostnames: ['*.example.com'], paths: [{ value: '/healthz' }] }] }),
    overridesPrevail({ kind, namespace: 'security' }),
    noPolicyWithoutEffect(),
    tlsOnListeners({ gateways: { labels: { matchLabels: { network: 'public' } } } }),
    limitsAtMost({ kind: 'RateLimitPolicy', field: 'limit', most: 100 }),
    noWildcardWithout({ kind }),
    canariesAlike({ kind, headers: ['x-canary'] }),
    gatewaysAlike({ kind, gateways: { names: ['public', 'internal'] }, hostnames: ['shop.example.com'] }),
  ])('takes the ready guarantee $name', async (guarantee) => {
    expect(await refusal(guarantee)).toBe('');
  });

  it.each<[string, Omit<Guarantee, 'name' | 'holds'>, string]>([
    ['about policies that selects requests', { about: 'policies', other: {} }, 'leave out requests, except and other'],
    ['without a header that can be none', { other: { withoutHeaders: ['x canary'] } }, 'spec.other.withoutHeaders[0]'],
  ])('refuses a guarantee %s', async (_what, more, message) => {
    expect(await refusal({ name: 'faulty', holds: 'true', ...more })).toContain(message);
  });
});
