import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@policy-machinery/cluster';
import {
  conformanceChecks,
  conformanceReport,
  failureText,
  readPolicyUnderTest,
  runConformance,
} from '@policy-machinery/conformance';
import { createPolicyController } from '@policy-machinery/controller';
import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { kubectl } from '../cluster.ts';
import { runProgram } from '../processes.ts';

const cluster = inject('cluster');

const colors = {
  group: 'conformance.example.com',
  version: 'v1',
  spec: z.strictObject({ dark: z.string(), light: z.string() }).partial(),
};
const ColorPolicy = definePolicyKind({
  ...colors,
  kind: 'ColorPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute],
  effectiveTargets: [Service],
  crossNamespace: 'granted',
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
});
const DirectColorPolicy = definePolicyKind({
  ...colors,
  kind: 'DirectColorPolicy',
  targets: [Service],
  stanzas: bareSpec({ strategies: { none } }),
});

const file = (kind: string, more: string) => `
kind: PolicyUnderTest
policy: { group: conformance.example.com, version: v1, kind: ${kind} }
controllerName: conformance.example.com/controller
gatewayClassName: any
specs: { one: { dark: red }, two: { dark: blue }, other: { light: yellow } }
${more}`;
const files = [
  file(
    'ColorPolicy',
    `
targets: [Gateway, "Gateway#listener", HTTPRoute]
strategies:
  atomicDefaults: { stanza: defaults }
  atomicOverrides: { stanza: overrides }
  patchDefaults: { stanza: defaults, with: { strategy: patch } }
  patchOverrides: { stanza: overrides, with: { strategy: patch } }
referenceGrants: true
`,
  ),
  file('DirectColorPolicy', 'targets: [Service]\nstrategies: { none: {} }\n'),
];

/** Returns the text of GEP-713 from the Go module of Gateway API, line by line, without its markup. */
async function readGep(): Promise<readonly string[]> {
  // The text is that of v1.7.0, which asks for a later Go than the API server does.
  const module = 'sigs.k8s.io/gateway-api@v1.6.0';
  const { Dir: folder } = JSON.parse(await runProgram('go', ['mod', 'download', '-json', module]));
  const text = readFileSync(join(folder, 'geps/gep-713/index.md'), 'utf8');
  return text.split('\n').map(plain);
}

function plain(text: string): string {
  return text
    .replace(/^\s*\/\/\s*/, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '');
}

describe('the sentences of the conformance checks', () => {
  it('are those of GEP-713, at their lines', async () => {
    const lines = await readGep();
    const missing = conformanceChecks.flatMap(({ id, line, sentence }) => {
      if (line === undefined) return [];
      const found = lines.slice(line - 1, line + 4).join(' ');
      return plain(sentence)
        .split(' … ')
        .flatMap((part) => (found.includes(part) ? [] : [`${id}: ${part}`]));
    });
    expect(missing).toEqual([]);
  });
});

describe('the conformance of our controller on a real API server', () => {
  it('is complete', async () => {
    const definitions = [ColorPolicy, DirectColorPolicy].map((kind) => customResourceDefinition(kind).definition);
    const list = { apiVersion: 'v1', kind: 'List', items: definitions };
    await kubectl(cluster, ['apply', '--server-side', '-f', '-'], JSON.stringify(list));
    const connection = await connect({ kubeconfig: cluster.kubeconfig });
    const stopping = new AbortController();
    const controller = createPolicyController({
      name: 'conformance.example.com/controller',
      connection,
      targetKinds: gatewayApi(),
      policyKinds: [ColorPolicy, DirectColorPolicy],
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const running = controller.run({ signal: stopping.signal });
    await vi.waitFor(() => expect(controller.isSynced).toBe(true), { timeout: 120_000 });
    for (const text of files) {
      const results = await runConformance(connection, { subject: readPolicyUnderTest(text), quiet: 3000 });
      const failures = results.results.filter(({ result }) => result === 'failed').map(failureText);
      expect(failures.join('\n\n')).toBe('');
      const report = conformanceReport(results, {
        organization: 'policy-machinery',
        project: 'colors',
        version: 'v0.1.0',
      });
      for (const { core } of report.profiles) expect(core.statistics.Failed).toBe(0);
    }
    stopping.abort();
    await running;
    connection.close?.();
  });
});
