import { isJsonObject, type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { Reference } from './model/reference.ts';
import type { Topology } from './model/topology.ts';
import { createTopology, type TopologyOptions } from './topology.ts';

/*
 * Fictional kinds for references that can be refused. Borrowers are children of vaults or of single boxes. A vault or box
 * accepts borrowers with its key and, where the vault or box restricts namespaces, only borrowers from namespaces of its trade.
 */

const group = 'bank.example.com';
const apiVersion = `${group}/v1`;

export const Vault = defineTargetKind({
  group,
  kind: 'Vault',
  sections: {
    box: { list: (vault) => objectsIn(specOf(vault).boxes).map((value) => ({ name: `${value.name}`, value })) },
  },
});
export const Bank = defineTargetKind({ group, kind: 'Bank', scope: 'Cluster' });

/** A kind with references in `spec.uses` and keys in `spec.key`. */
export const Borrower = defineTargetKind({
  group,
  kind: 'Borrower',
  *references(borrower) {
    for (const [index, { kind, name, namespace, box, select, ...rest }] of objectsIn(specOf(borrower).uses).entries()) {
      const of = { group, kind: stringIn(kind) ?? 'Vault' };
      const byName = { ...of, name: String(name), ...(typeof namespace === 'string' ? { namespace } : {}) };
      const bySelector = { ...of, namespaces: { from: 'Same' }, ...(isJsonObject(select) ? select : {}) };
      yield {
        direction: 'up',
        to: (select === undefined ? byName : { ...bySelector, where: isOpen }) as Reference['to'],
        needsGrant: rest.needsGrant === true,
        orWhole: rest.orWhole === true,
        withoutLink: rest.withoutLink === true,
        pointer: `/spec/uses/${index}`,
        ...(box === undefined ? {} : { toSections: (section) => box === '*' || section.name === box }),
        admits({ resource, section }, lookup) {
          const { lock, trade } = section === undefined ? specOf(resource) : section.value;
          const { namespace: own = 'default' } = borrower.metadata;
          if (lock !== undefined && lock !== specOf(borrower).key)
            return { reason: 'WrongKey', message: `lock ${lock}` };
          if (trade === undefined || lookup.namespaceLabels(own)?.trade === trade) return undefined;
          return { reason: 'WrongTrade', message: `only for ${trade}`, lacks: { group: '', kind: 'Namespace' } };
        },
      };
    }
  },
});

const isOpen = (vault: KubernetesObject): boolean => specOf(vault).closed !== true;

export const vault = (name: string, spec: object = {}, namespace = 'default', labels = {}): KubernetesObject => ({
  apiVersion,
  kind: 'Vault',
  metadata: { name, namespace, labels },
  spec,
});
export const bank = (name: string, labels = {}): KubernetesObject => ({
  apiVersion,
  kind: 'Bank',
  metadata: { name, labels },
});
export const borrower = (uses: object, key = 'none', namespace = 'default'): KubernetesObject => ({
  apiVersion,
  kind: 'Borrower',
  metadata: { name: 'b', namespace },
  spec: { uses: [uses], key },
});
export const namespaceWith = (name: string, labels?: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
});
/** Returns a grant in a namespace; the group of all kinds is the bank's unless it says otherwise. */
export const grant = (namespace: string, from: object, to: object): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1beta1',
  kind: 'ReferenceGrant',
  metadata: { name: 'grant', namespace },
  spec: { from: [{ group, ...from }], to: [{ group, ...to }] },
});

export function bankWorld(...resources: readonly KubernetesObject[]): Topology {
  return bankWith({}, ...resources);
}

/** Returns a topology with policy kinds, or one that is given only a part of the resources. */
export function bankWith(
  options: Omit<TopologyOptions, 'targetKinds'>,
  ...resources: readonly KubernetesObject[]
): Topology {
  const topology = createTopology({ targetKinds: [Bank, Vault, Borrower], ...options });
  topology.apply({ upsert: resources });
  return topology;
}
