import { isJsonObject, stringIn } from '@policy-machinery/resource';
import type { Condition } from './condition.ts';

/** A reference to an ancestor, as in Gateway API's routes and policies. */
export interface ParentReference {
  /** Default `gateway.networking.k8s.io`; `''` is the core group. */
  readonly group?: string;
  /** Default `Gateway`. */
  readonly kind?: string;
  /** Default: the namespace of the policy. */
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
}

/** The status of a policy with respect to one ancestor of its targets. */
export interface PolicyAncestorStatus {
  readonly ancestorRef: ParentReference;
  /** The controller that wrote the entry: `example.com/gateway-controller`. */
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
}

/** The identity of an ancestor, with all defaults filled in. */
export interface AncestorKey {
  /** Equal if and only if two references are to the same ancestor. */
  readonly text: string;
  /** Group, kind, namespace, name, section and port, the sort key of ancestors. */
  readonly parts: readonly (string | number)[];
}

/**
 * Returns the identity of an ancestor, or of a parent of a route, from a reference.
 *
 * @param ref The reference, which may be anything.
 * @param namespace The namespace of the policy or route.
 * @returns The key; `undefined` if the value is not a reference.
 */
export function ancestorKey(ref: unknown, namespace: string): AncestorKey | undefined {
  if (!isJsonObject(ref) || typeof ref.name !== 'string') return undefined;
  const parts = [
    stringIn(ref.group) ?? 'gateway.networking.k8s.io',
    stringIn(ref.kind) ?? 'Gateway',
    stringIn(ref.namespace) ?? namespace,
    ref.name,
    stringIn(ref.sectionName) ?? '',
    typeof ref.port === 'number' ? ref.port : 0,
  ];
  return { text: textOf(parts), parts };
}

/** Joins the parts to one unambiguous text. JSON takes longer, so it is used only if a part contains the separator. */
function textOf(parts: readonly (string | number)[]): string {
  const isPlain = parts.every((part) => typeof part === 'number' || !part.includes(separator));
  return isPlain ? parts.join(separator) : JSON.stringify(parts);
}

/** It sorts before all characters of names, so that texts have the order of their names. */
const separator = '\n';

/** Compares part by part: negative when the first list comes first. */
export function compareParts(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? '';
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}
