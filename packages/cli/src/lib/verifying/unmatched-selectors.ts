import { gatewayListeners } from '@policy-machinery/gateway-api';
import type { Guarantee, ObjectSelector } from '@policy-machinery/guarantees';
import { locatorOfGuarantee } from '@policy-machinery/guarantees/inner';
import { formatPointer, type Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { closestNames } from '../model/closest.ts';
import type { World } from '../model/world.ts';

/** A name or namespace of a selector, or a listener, which nothing in the input has. */
interface Unmatched {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The objects that each field of a selector is about. */
const fields = [
  ['gateways', 'Gateway', ({ ref }: TargetNode) => /^(?:Gateway|Service|ServiceFrontend)$/.test(ref.kind)],
  ['routes', 'route', ({ ref }: TargetNode) => ref.kind.endsWith('Route')],
  ['backends', 'backend', () => true],
] as const;

/**
 * Returns the names in selectors of guarantees that nothing in the input has: a guarantee about them alone says nothing.
 *
 * @param guarantees The guarantees. One with `mayBeEmpty` may name anything.
 * @returns An error for each name, at its place, with the closest names that exist.
 */
export function unmatchedSelectors({ topology }: World, guarantees: readonly Guarantee[]): readonly Issue[] {
  const objects = [...topology.targets].filter(({ section }) => section === undefined);
  const listeners = new Set(objects.flatMap((node) => gatewayListeners(node)).map(({ name }) => name));
  return guarantees.flatMap((guarantee): readonly Issue[] => {
    if (guarantee.mayBeEmpty === true) return [];
    return selectorsOf(guarantee).flatMap(([path, selector]) =>
      [
        ...fields.flatMap(([field, kind, isOfKind]) =>
          unmatchedIn(selector[field], objects.filter(isOfKind), kind).map((it) => ({
            ...it,
            path: [field, ...it.path],
          })),
        ),
        ...missing(selector.listeners ?? [], listeners, 'listener').map((it) => ({
          ...it,
          path: ['listeners', ...it.path],
        })),
      ].map(({ path: below, message }) => ({
        code: 'guarantee-selects-nothing',
        severity: 'error' as const,
        message,
        resource: locatorOfGuarantee(guarantee),
        pointer: formatPointer(['spec', ...path, ...below]),
      })),
    );
  });
}

type Selector = { readonly [Field in (typeof fields)[number][0]]?: ObjectSelector } & {
  readonly listeners?: readonly string[];
};

/** Returns the selectors of a guarantee, with their places. */
function selectorsOf({ requests, except = [], other }: Guarantee): readonly (readonly [Unmatched['path'], Selector])[] {
  return [
    ...(requests === undefined ? [] : [[['requests'], requests] as const]),
    ...except.map((each, index) => [['except', index], each] as const),
    ...(other === undefined ? [] : [[['other'], other] as const]),
  ];
}

function unmatchedIn(
  selector: ObjectSelector | undefined,
  nodes: readonly TargetNode[],
  kind: string,
): readonly Unmatched[] {
  const { namespaces, names = [] } = selector ?? {};
  const within = nodes.filter(({ ref }) => namespaces?.includes(ref.namespace ?? '') !== false);
  const known = new Set(nodes.map(({ ref }) => ref.namespace ?? ''));
  const outside = missing(namespaces ?? [], known, `namespace with a ${kind}`);
  if (outside.length > 0) return outside.map((it) => ({ ...it, path: ['namespaces', ...it.path] }));
  return missing(names, new Set(within.map(({ ref }) => ref.name)), kind).map((it) => ({
    ...it,
    path: ['names', ...it.path],
  }));
}

function missing(names: readonly string[], known: ReadonlySet<string>, what: string): readonly Unmatched[] {
  return names.flatMap((name, index) => {
    if (known.has(name)) return [];
    const closest = closestNames(name, [...known]);
    const remedy =
      closest.length > 0 ? `did you mean ${closest.join(' or ')}?` : 'correct the name, or set mayBeEmpty: true';
    return [{ path: [index], message: `${name} is not a ${what} of the input; ${remedy}` }];
  });
}
