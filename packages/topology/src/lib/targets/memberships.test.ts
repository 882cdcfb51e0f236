import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { defineTargetKind } from '../model/define-target-kind.ts';
import { createTopology } from '../topology.ts';

const group = 'tenants.example.com';
const labelled = (label: string) => (resource: KubernetesObject) => resource.metadata.labels?.[label];
const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });
const Tenant = defineTargetKind({ group, kind: 'Tenant', scope: 'Cluster', memberOf: labelled('tenant') });
const App = defineTargetKind({ group, kind: 'App', memberOf: labelled('app') });
const Page = defineTargetKind({
  group,
  kind: 'Page',
  sections: { part: { list: () => [{ name: 'top', value: {} }] } },
});

const object = (kind: string, name: string, labels: Readonly<Record<string, string>> = {}): KubernetesObject => {
  const isClusterScoped = kind === 'Tenant' || kind === 'Namespace';
  const metadata = { name, labels, ...(isClusterScoped ? {} : { namespace: 'shop' }) };
  return { apiVersion: kind === 'Namespace' ? 'v1' : `${group}/v1`, kind, metadata };
};
const page = object('Page', 'home', { tenant: 'retail', app: 'web' });
const all = [page, object('App', 'web'), object('Namespace', 'shop'), object('Tenant', 'retail')];

function topologyOf(objects: readonly KubernetesObject[]) {
  const topology = createTopology({ targetKinds: [Namespace, Tenant, App, Page] });
  topology.apply({ upsert: objects });
  return {
    topology,
    containers: (locator = `page.${group}:shop/home#top`) =>
      topology.get(locator)?.containers.map(({ ref }) => ref.name),
  };
}

describe('containers', () => {
  it.each([
    ['members first', all],
    ['members last', all.toReversed()],
  ])('are cluster-scoped ones, the namespace, then those in the namespace: %s', (_, objects) => {
    const { topology, containers } = topologyOf(objects);
    expect(containers()).toEqual(['retail', 'shop', 'web']);
    for (const locator of [`tenant.${group}:retail`, `app.${group}:shop/web`]) {
      const container = topology.get(locator);
      expect(container && [...topology.membersOf(container)].map(({ ref }) => ref.name)).toEqual(['home']);
    }
  });

  it('follow labels, and objects that come and go', () => {
    const { topology, containers } = topologyOf(all);
    topology.apply({ upsert: [object('Page', 'home', { tenant: 'other' })] });
    expect(containers()).toEqual(['shop']);
    topology.apply({ upsert: [object('Tenant', 'other')], remove: [object('Namespace', 'shop')] });
    expect(containers()).toEqual(['other']);
    topology.apply({ upsert: [object('Namespace', 'shop')], remove: [object('Tenant', 'other')] });
    expect(containers()).toEqual(['shop']);
  });

  it('contain neither each other nor themselves', () => {
    const { containers } = topologyOf([
      object('App', 'web', { tenant: 'retail', app: 'web' }),
      object('Tenant', 'retail'),
    ]);
    expect(containers(`app.${group}:shop/web`)).toEqual([]);
  });

  it('are left out with an issue of the object, if they cannot be read', () => {
    const Broken = defineTargetKind({
      group,
      kind: 'Broken',
      scope: 'Cluster',
      memberOf: () => {
        throw new Error('no label');
      },
    });
    const topology = createTopology({ targetKinds: [Broken, Page] });
    topology.apply({ upsert: [page] });
    expect(topology.issues.map(({ code, resource }) => [code, resource])).toEqual([
      ['unreadable-resource', `page.${group}:shop/home`],
    ]);
    topology.apply({ remove: [page] });
    expect(topology.issues).toEqual([]);
  });
});
