import { printable } from '@policy-machinery/resource';
import type { Path } from './path.ts';
import type { TargetNode } from './target-node.ts';

/**
 * Returns the name of a target for people: `HTTPRoute shop/cart#admin`.
 *
 * @returns The kind, namespace, name and section.
 */
export function formatTarget({ ref }: TargetNode): string {
  return printable(formatRef(ref));
}

/** The resource that {@link formatRef} names, without its group. */
export interface NamedResource {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly section?: string | undefined;
}

/**
 * Returns the name of a resource for people, like {@link formatTarget}.
 *
 * @param ref The resource, which need not exist. Names may contain any characters, so make the text printable before you show it.
 * @returns The kind, namespace, name and section.
 */
export function formatRef({ kind, namespace, name, section }: NamedResource): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${section === undefined ? '' : `#${section}`}`;
}

/**
 * Returns a path as text for people: `GatewayClass edge > Gateway infra/public#https > HTTPRoute shop/cart#admin`.
 *
 * @param path The path. An object is left out if its section comes next.
 * @returns The targets, least specific first.
 */
export function formatPath(path: Path): string {
  return path
    .filter((target, index) => path[index + 1]?.object !== target)
    .map(formatTarget)
    .join(' > ');
}
