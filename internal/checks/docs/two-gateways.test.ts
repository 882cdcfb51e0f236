import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../files.ts';

const examples = join(root, 'examples');

/** The examples without routes below Gateways, by the targets of their policies, and those with two Gateways in their manifests. */
const others: Readonly<Record<string, string>> = {
  'backend-tls': 'Service; the route `ledger` of the manifests is below two Gateways',
  'gateway-product': 'the route `cart` of the manifests is below two Gateways with different overrides',
  istio: 'workloads and waypoints of a mesh',
  linkerd: 'Servers of a mesh',
  mistakes: 'guarantees, for a route below two Gateways',
  'network-policy-api': 'Pods',
  'open-cluster-management': 'clusters; a cluster has a context for each binding',
  'own-kind': 'the route of the manifests is below two Gateways with different overrides',
  pepr: 'reviews, for a route below two Gateways',
};

const testsOf = (example: string): string =>
  readdirSync(join(examples, example, 'src'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(examples, example, 'src', name), 'utf8'))
    .join('\n');

describe('the tests of examples', () => {
  it('compute effective policies of a route below two Gateways, or the example is listed with its reason', () => {
    const missing = readdirSync(examples).filter(
      (name) => !/specsBelowTwoGateways|specsByGateway|onTwoGateways/.test(testsOf(name)),
    );
    expect(missing.sort()).toEqual(Object.keys(others).sort());
  });
});

describe('the documents', () => {
  it('never take the first of several answers by index', () => {
    const documents = filesOf('docs/*.md', '*.md', 'packages/*/README.md', 'examples/*/README.md', 'templates/*');
    const lines = documents.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line) => (/[\w)\]][?.]*\[0\]/.test(line) ? [`${path}: ${line}`] : [])),
    );
    expect(lines).toEqual([]);
  });
});
