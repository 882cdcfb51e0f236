import { printable, type ResourceRef } from '@policy-machinery/resource';
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

/** Names what a reference means, as people write it. What shows it makes it printable. */
export function formatRef({ kind, namespace, name, section }: ResourceRef): string {
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
