import { readdirSync, readFileSync } from 'node:fs';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { definitions } from './definitions.ts';

const deploy = new URL('../deploy/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, deploy), 'utf8');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What a role of `rbac.yaml` allows: `watch httproutes.gateway.networking.k8s.io`. */
function allowedBy(kind: 'ClusterRole' | 'Role'): readonly string[] {
  const roles = parseAllDocuments(read('rbac.yaml')).map((it) => it.toJS());
  const { rules }: { rules: readonly Rule[] } = roles.find((it) => it.kind === kind);
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${verb} ${group === '' ? resource : `${resource}.${group}`}`),
      ),
    ),
  );
}

describe('deploy/crds', () => {
  it('has the definitions of the kinds in the program: `npm run crds` writes them', () => {
    const files = new Map(readdirSync(new URL('crds/', deploy)).map((name) => [name, read(`crds/${name}`)]));
    expect(files).toEqual(definitions);
  });

  it('is what kustomize installs', () => {
    const { resources } = parse(read('kustomization.yaml'));
    expect(resources).toEqual(expect.arrayContaining([...definitions.keys()].map((name) => `crds/${name}`)));
  });
});

describe('deploy/rbac.yaml', () => {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const names = topology.requiredKinds.map(({ group, plural }) => (group === '' ? plural : `${plural}.${group}`));

  it('lets the controller read each kind that it needs, and no other', () => {
    for (const verb of ['list', 'watch']) {
      const allowed = allowedBy('ClusterRole').filter((it) => it.startsWith(`${verb} `));
      expect(allowed.toSorted()).toEqual(names.map((name) => `${verb} ${name}`).sort());
    }
  });

  it('lets the controller write statuses and events alone, and get what it writes', () => {
    const others = allowedBy('ClusterRole').filter((it) => !/^(list|watch) /.test(it));
    const written = others.filter((it) => it.startsWith('patch ') && it.includes('/status'));
    const got = written.map((it) => it.replace('patch ', 'get ').replace('/status', ''));
    const events = ['create events.events.k8s.io', 'patch events.events.k8s.io'];
    expect(others.toSorted()).toEqual([...written, ...got, ...events].sort());
  });
});
