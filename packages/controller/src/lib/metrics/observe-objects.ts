import type { Sources } from '@policy-machinery/cluster';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { Instruments } from './instruments.ts';

/**
 * Shows how many objects of each kind are in memory.
 *
 * @param instruments Where to show the numbers.
 * @param sources The sources; counted whenever metrics are collected.
 * @param kinds The kinds of the sources.
 * @returns A function that ends it.
 */
export function observeObjects(
  { objects }: Pick<Instruments, 'objects'>,
  sources: Pick<Sources, 'count'>,
  kinds: readonly GroupKind[],
): () => void {
  return objects.observe(() => kinds.map((kind) => [{ kind: groupKindKey(kind) }, sources.count(kind)] as const));
}
