import { createHash } from 'node:crypto';
import { isSectionKind, type Topology } from '@policy-machinery/topology';
import { TimeoutPolicy } from '../shop.ts';

/** Returns a text that is the same for topologies of the same versions of the same objects. */
export function stateOf(topology: Topology): string {
  const targets = [...topology.targets].filter(({ kind }) => !isSectionKind(kind));
  const versions = [...targets, ...topology.policies(TimeoutPolicy)].map(
    ({ locator, resource }) => `${locator}@${resource.metadata.resourceVersion}`,
  );
  return `${versions.length} objects, ${createHash('sha256').update(versions.sort().join('\n')).digest('hex')}`;
}
