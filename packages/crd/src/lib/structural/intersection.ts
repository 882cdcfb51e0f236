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
  readonly at: SchemaPlace;
  readonly conversion: Conversion;
  readonly mixed: (what: string) => Node;
}

export function intersection(nodes: readonly Node[], joint: Joint): Node {
  const [first = {}, ...others] = nodes.filter((node) => Object.keys(node).length > 0);
  return others.reduce((one, other) => both(one, other, joint), first);
}

function both(one: Node, other: Node, joint: Joint): Node {
  const types = [one, other].map(typeOf);
  const type = narrower(types);
  if (type === undefined && !types.includes(undefined)) return joint.mixed(`must be ${types.join(' and ')} at once`);
  const typed = [one, other].filter((node) => typeOf(node) !== undefined);
  const isPreserving = (typed.length > 0 ? typed : [one, other]).every((node) => node[preserveUnknownFields] === true);
  const children = childrenOf(one, other, joint);
  const isOpen =
    children.properties !== undefined && (one.additionalProperties ?? other.additionalProperties) !== undefined;
  const node = {
    ...pick({ ...other, ...one }, [...annotations, ...extensions]),
    ...ofType(type),
    ...children,
    ...(isPreserving || isOpen ? { [preserveUnknownFields]: true } : {}),
    ...values(one, other),
  };
  const isNullable = (typed.length > 0 ? typed : [one, other]).every(({ nullable }) => nullable === true);
  return isNullable ? orNull(node) : node;
}

/** Returns the type of values that are of both types. */
function narrower([one, other]: readonly (string | undefined)[]): string | undefined {
  if (one === other || other === undefined) return one;
  if (one === undefined) return other;
  const narrow = [
    ['integer', 'number'],
    ['integer', 'int-or-string'],
    ['string', 'int-or-string'],
  ];
  return narrow.find((pair) => pair.includes(one) && pair.includes(other))?.[0];
}

function childrenOf(one: Node, other: Node, joint: Joint): Node {
  const [mine, theirs] = [propertiesOf(one), propertiesOf(other)];
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const common = (left: Node | undefined, right: Node | undefined): Node =>
    left !== undefined && right !== undefined ? both(left, right, joint) : (left ?? right ?? {});
  const child = (of: Readonly<Record<string, Node>>, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  if (names.length > 0) {
    if ((one.additionalProperties ?? other.additionalProperties) !== undefined) {
      lose(joint.conversion, joint.at, 'fields beside named ones are kept, but not checked by the API server');
    }
    return {
      properties: Object.fromEntries(names.map((name) => [name, common(child(mine, name), child(theirs, name))])),
    };
  }
  return Object.fromEntries(
    (['items', 'additionalProperties'] as const).flatMap((name) =>
      name in one || name in other ? [[name, common(one[name], other[name])]] : [],
    ),
  );
}

/** Combines the constraints of both on values. */
function values(one: Node, other: Node): Node {
  const [mine, theirs]: readonly [Node, Node] = [pick(one, valueKeywords), pick(other, valueKeywords)];
  const { allOf: left = [], required: needed = [], ...first } = mine;
  const { allOf: right = [], required: alsoNeeded = [], ...second } = theirs;
  const required = [...new Set([...needed, ...alsoNeeded])];
  const clashing = Object.entries(second).filter(([key, value]) => key in first && !isSame(mine[key], value));
  const allOf = [...left, ...right, ...(clashing.length > 0 ? [Object.fromEntries(clashing)] : [])];
  return {
    ...second,
    ...first,
    ...(required.length > 0 ? { required } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  };
}
