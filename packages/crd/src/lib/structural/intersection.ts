import { type Conversion, lose, preserveUnknownFields, type SchemaPlace } from './conversion.ts';
import {
  annotations,
  extensions,
  isSame,
  type Node,
  ofType,
  orNull,
  pick,
  propertiesOf,
  typeOf,
  valueKeywords,
} from './keywords.ts';

/** The place where nodes are combined, and a handler of types that exclude one another. */
export interface Joint {
  readonly place: SchemaPlace;
  readonly conversion: Conversion;
  readonly mixed: (what: string) => Node;
}

export function intersection(nodes: readonly Node[], joint: Joint): Node {
  const [first = {}, ...others] = nodes.filter((node) => Object.keys(node).length > 0);
  return others.reduce((base, other) => both(base, other, joint), first);
}

function both(base: Node, other: Node, joint: Joint): Node {
  const types = [base, other].map(typeOf);
  const type = narrower(types);
  if (type === undefined && !types.includes(undefined)) return joint.mixed(`must be ${types.join(' and ')} at once`);
  const typed = [base, other].filter((node) => typeOf(node) !== undefined);
  const isPreserving = (typed.length > 0 ? typed : [base, other]).every((node) => node[preserveUnknownFields] === true);
  const children = childrenOf(base, other, joint);
  const isOpen =
    children.properties !== undefined && (base.additionalProperties ?? other.additionalProperties) !== undefined;
  const node = {
    ...pick({ ...other, ...base }, [...annotations, ...extensions]),
    ...ofType(type),
    ...children,
    ...(isPreserving || isOpen ? { [preserveUnknownFields]: true } : {}),
    ...values(base, other),
  };
  const isNullable = (typed.length > 0 ? typed : [base, other]).every(({ nullable }) => nullable === true);
  return isNullable ? orNull(node) : node;
}

/** Returns the type of values that are of both types. */
function narrower([type, other]: readonly (string | undefined)[]): string | undefined {
  if (type === other || other === undefined) return type;
  if (type === undefined) return other;
  const narrow = [
    ['integer', 'number'],
    ['integer', 'int-or-string'],
    ['string', 'int-or-string'],
  ];
  return narrow.find((pair) => pair.includes(type) && pair.includes(other))?.[0];
}

function childrenOf(base: Node, other: Node, joint: Joint): Node {
  const [mine, theirs] = [propertiesOf(base), propertiesOf(other)];
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const common = (baseChild: Node | undefined, otherChild: Node | undefined): Node =>
    baseChild !== undefined && otherChild !== undefined
      ? both(baseChild, otherChild, joint)
      : (baseChild ?? otherChild ?? {});
  const child = (of: Readonly<Record<string, Node>>, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  if (names.length > 0) {
    if ((base.additionalProperties ?? other.additionalProperties) !== undefined) {
      lose(joint.conversion, joint.place, 'fields beside named ones are kept, but not checked by the API server');
    }
    return {
      properties: Object.fromEntries(names.map((name) => [name, common(child(mine, name), child(theirs, name))])),
    };
  }
  return Object.fromEntries(
    (['items', 'additionalProperties'] as const).flatMap((name) =>
      name in base || name in other ? [[name, common(base[name], other[name])]] : [],
    ),
  );
}

/** Combines the constraints of both on values. */
function values(base: Node, other: Node): Node {
  const [mine, theirs]: readonly [Node, Node] = [pick(base, valueKeywords), pick(other, valueKeywords)];
  const { allOf: parts = [], required: needed = [], ...first } = mine;
  const { allOf: otherParts = [], required: alsoNeeded = [], ...second } = theirs;
  const required = [...new Set([...needed, ...alsoNeeded])];
  const clashing = Object.entries(second).filter(([key, value]) => key in first && !isSame(mine[key], value));
  const allOf = [...parts, ...otherParts, ...(clashing.length > 0 ? [Object.fromEntries(clashing)] : [])];
  return {
    ...second,
    ...first,
    ...(required.length > 0 ? { required } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  };
}
