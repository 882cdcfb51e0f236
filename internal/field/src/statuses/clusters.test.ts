import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkStatuses } from './check-statuses.ts';
import { systemClusters } from './clusters.ts';

const root = mkdtempSync(join(tmpdir(), 'clusters-'));
afterAll(() => rmSync(root, { recursive: true }));

function clustersOf(system: string, files: Readonly<Record<string, string>>) {
  const found = systemClusters.find((each) => each.system === system);
  const folder = join(root, found?.folder ?? '');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return found?.read(folder).map(({ name, objects }) => ({
    name,
    objects: objects.map(({ kind, metadata, status }) => ({ kind, metadata, status })),
  }));
}

const policy = 'kind: P\nmetadata: { name: p, namespace: default }\n';

describe('the clusters in the tests of a system', () => {
  it('have the statuses that agentgateway writes below the input, and the objects that tests share', () => {
    const files = {
      'trafficpolicy/_defaults.yaml': 'kind: Gateway\nmetadata: { name: g }',
      'trafficpolicy/one.yaml': `${policy}---\n# Output\noutput: []\nstatus:\n- kind: P\n  metadata: { name: p, namespace: default }\n  status: { x: 1 }\n`,
    };
    expect(clustersOf('agentgateway', files)).toEqual([
      {
        name: 'trafficpolicy/one',
        objects: [
          { kind: 'Gateway', metadata: { name: 'g' } },
          { kind: 'P', metadata: { name: 'p', namespace: 'default' }, status: { x: 1 } },
        ],
      },
    ]);
  });

  it('have the statuses that Istio writes in a file beside', () => {
    const files = {
      'a.yaml': `${policy}status: { x: 0 }\n`,
      'a.status.yaml.golden': `${policy}status: { x: 2 }\n`,
      'b.yaml.golden': policy,
    };
    expect(clustersOf('Istio', files)).toMatchObject([{ name: 'a', objects: [{ status: { x: 2 } }] }]);
  });

  it('are not on each machine, which is a message and no fault', async () => {
    const { lines, faults } = await checkStatuses(join(root, 'empty'));
    expect(lines).toHaveLength(systemClusters.length);
    for (const line of lines) expect(line).toContain('statuses are not on this machine');
    expect(faults).toEqual([]);
  });
});
