import { printable } from '@policy-machinery/resource';
import type { Path } from './path.ts';
import type { TargetNode } from './target-node.ts';

/**
 * Names a target for people: `HTTPRoute shop/cart#admin`.
 *
 * @param target The target.
 * @returns Kind in its own spelling, namespace, name and section.
 */
export function formatTarget({ ref }: TargetNode): string {
  return printable(formatRef(ref));
}

/** What {@link formatRef} names: a resource, whose group is not shown. */
export interface NamedResource {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly section?: string | undefined;
}

/**
 * Names a resource for people, as {@link formatTarget} names a target.
 *
 * @param ref The resource, which need not exist. Its names may have any characters, so make the text printable where it is shown.
 * @returns Kind in its own spelling, namespace, name and section.
 */
export function formatRef({ kind, namespace, name, section }: NamedResource): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${section === undefined ? '' : `#${section}`}`;
}

/**
 * Writes a path for people: `GatewayClass edge > Gateway infra/public#https > HTTPRoute shop/cart#admin`.
 *
 * @param path The path; an object whose section comes next is left to its section.
 * @returns The targets, least specific first.
 */
export function formatPath(path: Path): string {
  return path
    .filter((target, index) => path[index + 1]?.object !== target)
    .map(formatTarget)
    .join(' > ');
}
