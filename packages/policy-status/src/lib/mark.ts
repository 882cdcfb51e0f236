import type { TargetNode } from '@policy-machinery/topology';
import { type StatusWrite, writeOf } from './status-write.ts';

/**
 * Plans the marks on an object that has no conditions in its status (D-05).
 *
 * @param node The object.
 * @param wanted The types of condition for which marks stand.
 * @param owned All types that are the controller's own: marks for others of these are removed.
 * @param markedBy What bears the marks.
 * @returns The write; `undefined` if all is as it is to be.
 */
export function planMarks(
  { resource, ref, locator }: TargetNode,
  wanted: ReadonlySet<string>,
  owned: readonly string[],
  markedBy: 'annotations' | 'labels',
): StatusWrite | undefined {
  const stored = resource.metadata[markedBy] ?? {};
  const isRight = owned.every((type) => (wanted.has(type) ? stored[type] === 'true' : !Object.hasOwn(stored, type)));
  if (isRight) return undefined;
  const others = Object.entries(stored).filter(([type]) => !owned.includes(type));
  const marks = [...wanted].map((type) => [type, 'true'] as const);
  const metadata = { ...resource.metadata, [markedBy]: Object.fromEntries([...others, ...marks]) };
  const owns = { metadata: { [markedBy]: Object.fromEntries(marks) } };
  return writeOf({
    ref,
    locator,
    resource,
    subresource: undefined,
    changed: { ...resource, metadata },
    owns,
    isWhole: false,
  });
}
