import type { TargetNode } from '@policy-machinery/topology';
import { type StatusWrite, type WritePrecondition, writeOf } from './status-write.ts';

/**
 * Plans the marks on an object without conditions in its status.
 *
 * @param node The object.
 * @param wanted The condition types to mark.
 * @param types The condition types in this plan, so that their other marks are removed, and all types that
 * the controller owns.
 * @param settings Where the marks are, and how the write is checked.
 * @returns The write; `undefined` if nothing changes.
 */
export function planMarks(
  node: TargetNode,
  wanted: ReadonlySet<string>,
  { renewed, owned }: { readonly renewed: readonly string[]; readonly owned: readonly string[] },
  settings: { readonly markedBy: 'annotations' | 'labels'; readonly precondition: WritePrecondition },
): StatusWrite | undefined {
  const { resource } = node;
  const { markedBy } = settings;
  const stored = resource.metadata[markedBy] ?? {};
  const isRight = renewed.every((type) => (wanted.has(type) ? stored[type] === 'true' : !Object.hasOwn(stored, type)));
  if (isRight) return undefined;
  const others = Object.entries(stored).filter(([type]) => !renewed.includes(type));
  const marks = [...wanted].map((type) => [type, 'true'] as const);
  const metadata = { ...resource.metadata, [markedBy]: Object.fromEntries([...others, ...marks]) };
  const ownMarks = [...others.filter(([type]) => owned.includes(type)), ...marks];
  const owns = { metadata: { [markedBy]: Object.fromEntries(ownMarks) } };
  return writeOf(node, { changed: { metadata }, owns, isWhole: false, urgency: 'object' }, settings);
}
