import { anything, lose, preserveUnknownFields } from './conversion.ts';
import type { Joint } from './intersection.ts';
import {
  annotations,
  extensions,
  isSame,
  junctors,
  type Node,
  ofType,
  orNull,
  pick,
  propertiesOf,
  typeOf,
  valueKeywords,
} from './keywords.ts';
import { commonType } from './types.ts';

/** The node of `null`. */
export const nullNode: Node = { type: 'string', nullable: true, not: {} };

/**
 * Returns the union of some nodes: one structure for all of them, and below `anyOf` the rest of
 * each. It is `oneOf` if a field distinguishes them.
 */
export function union(nodes: readonly Node[], keyword: 'anyOf' | 'oneOf', joint: Joint): Node {
  const present = nodes.filter((node) => !isSame(node, nullNode));
  const nullable = present.length < nodes.length || present.some((node) => node.nullable === true);
  const [first] = present;
  if (first === undefined) return nodes.length > 0 ? nullNode : {};
  const joined = present.length === 1 ? first : either(present, keyword, joint);
  return nullable && typeOf(joined) !== undefined ? orNull(joined) : joined;
}

function either(nodes: readonly Node[], keyword: 'anyOf' | 'oneOf', joint: Joint): Node {
  if (nodes.some(isAnything)) return {};
  const clashes: string[] = [];
  const structure = structureOf(nodes, [], (path, types) => {
    const where = path.length === 0 ? 'is' : `has ${path.join('.')}, which is`;
    clashes.push(`${where} ${types.map((type) => type ?? 'anything').join(' or ')}`);
  });
  const [clash] = clashes;
  if (clash !== undefined) return joint.mixed(clash);
  if (isSame(structure, nodes[0])) return structure;
  const branches = nodes.map((node) => {
    const lost: string[] = [];
    const rest = restOf(node, structure, lost);
    return { lost, rest: joint.conversion.closed.has(node) ? { ...rest, ...withoutOthers(node, structure) } : rest };
  });
  const rests = branches.map(({ rest }) => rest);
  const isOfBoth = typeOf(structure) === 'int-or-string';
  // A branch that adds nothing to the structure has room for all others: then nothing is lost.
  if (!isOfBoth && branches.some(({ rest, lost }) => isEmpty(rest) && lost.length === 0)) return structure;
  for (const message of branches.flatMap(({ lost }) => lost)) lose(joint.conversion, joint.place, message);
  if (isOfBoth) return intOrString(structure, rests, joint);
  if (rests.some(isEmpty)) return structure;
  // The structure has the values of all branches.
  if (rests.every((rest) => isSame(Object.keys(rest), ['enum']))) return structure;
  const isExclusive = keyword === 'oneOf' && isDiscriminated(nodes);
  if (keyword === 'oneOf' && !isExclusive) {
    lose(
      joint.conversion,
      joint.place,
      'the API server does not check that only one alternative applies; distinguish them by a field',
    );
  }
  return { ...structure, [isExclusive ? 'oneOf' : 'anyOf']: rests };
}

/** The keywords that constrain neither integers nor strings, unlike limits and patterns. */
const aboutBoth: readonly string[] = ['enum', ...junctors];

function intOrString(structure: Node, rests: readonly Node[], { place, conversion }: Joint): Node {
  const keys = rests.flatMap((rest) => Object.keys(rest));
  const isApart = new Set(keys).size === keys.length && !keys.some((key) => aboutBoth.includes(key));
  if (isApart) return Object.assign({}, structure, ...rests);
  if ('enum' in structure) return structure;
  lose(conversion, place, 'the API server takes any integer and any string here');
  return structure;
}

const isEmpty = (node: Node): boolean => Object.keys(node).length === 0;

const isAnything = (node: Node): boolean =>
  typeOf(node) === undefined && valueKeywords.every((keyword) => !(keyword in node));

/** Returns whether all nodes require a field with different values in each. */
function isDiscriminated(nodes: readonly Node[]): boolean {
  return requiredByAll(nodes).some((name) => {
    const values = nodes.map((node) => propertiesOf(node)[name]?.enum);
    const allValues = values.flatMap((each) => each ?? []);
    return !values.includes(undefined) && new Set(allValues).size === allValues.length;
  });
}

function requiredByAll([first = {}, ...others]: readonly Node[]): readonly string[] {
  const required = (node: Node) => node.required ?? [];
  return required(first).filter((name) => others.every((other) => required(other).includes(name)));
}

type Clash = (path: readonly string[], types: readonly (string | undefined)[]) => void;

/** Returns a node with room for all of some others. */
function structureOf(nodes: readonly Node[], path: readonly string[], clash: Clash): Node {
  const [first = {}, ...others] = nodes;
  if (others.every((other) => isSame(first, other))) return first;
  const types = nodes.map(typeOf);
  if (types.includes(undefined) && nodes.some(isUnknown)) return anything;
  const type = commonType(types);
  if (type === undefined && types.some((each) => each !== undefined)) clash(path, [...new Set(types)]);
  const required = requiredByAll(nodes);
  const node = {
    ...pick(Object.assign({}, ...[...nodes].reverse()), annotations),
    ...ofType(type),
    ...sharedKeywords(nodes),
    ...fieldsOf(nodes, path, clash),
    ...(nodes.some((node) => node[preserveUnknownFields] === true) ? { [preserveUnknownFields]: true } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
  return nodes.some(({ nullable }) => nullable === true) ? orNull(node) : node;
}

/** Returns a field that accepts anything, as opposed to a part without a type. */
const isUnknown = (node: Node): boolean => typeOf(node) === undefined && node[preserveUnknownFields] === true;

function sharedKeywords([first = {}, ...others]: readonly Node[]): Node {
  const junctorNames: readonly string[] = junctors;
  const same = Object.entries(pick(first, [...valueKeywords, ...extensions])).filter(
    ([key, value]) => !junctorNames.includes(key) && others.every((other) => isSame(other[key], value)),
  );
  const lists = [first, ...others].map((node) => node.enum);
  const enumeration = lists.includes(undefined) ? {} : { enum: [...new Set(lists.flatMap((list) => list ?? []))] };
  return { ...Object.fromEntries(same), ...enumeration };
}

function fieldsOf(nodes: readonly Node[], path: readonly string[], clash: Clash): Node {
  const names = [...new Set(nodes.flatMap((node) => Object.keys(propertiesOf(node))))];
  const common = (parts: readonly (Node | undefined)[], name: string): Node => {
    const definedParts = parts.filter((part) => part !== undefined);
    return structureOf(definedParts, [...path, name], clash);
  };
  if (names.length > 0) {
    const properties = names.map(
      (name) =>
        [
          name,
          common(
            nodes.map((node) => fieldOf(node, name)),
            name,
          ),
        ] as const,
    );
    const isOpen = nodes.some((node) => 'additionalProperties' in node);
    return { properties: Object.fromEntries(properties), ...(isOpen ? { [preserveUnknownFields]: true } : {}) };
  }
  return Object.fromEntries(
    (['items', 'additionalProperties'] as const).flatMap((name) =>
      nodes.some((node) => name in node)
        ? [
            [
              name,
              common(
                nodes.map((node) => node[name]),
                name,
              ),
            ],
          ]
        : [],
    ),
  );
}

const fieldOf = (node: Node, name: string): Node | undefined =>
  Object.hasOwn(propertiesOf(node), name) ? propertiesOf(node)[name] : undefined;

/**
 * Returns the constraints of a node on values beyond its structure; only these are allowed below `anyOf`.
 *
 * @param lost Gets a message for each constraint that cannot be expressed there.
 */
function restOf(node: Node, structure: Node, lost: string[]): Node {
  const values = Object.entries(pick(node, valueKeywords)).filter(([key, value]) => !isSame(structure[key], value));
  const { required: _, ...rest } = Object.fromEntries(values);
  const needed = (node.required ?? []).filter((name) => structure.required?.includes(name) !== true);
  /** Only fields of the structure may have constraints, and metadata may not have any. */
  const inner = (part: Node, within: Node | undefined, name: string): Node => {
    const rest = restOf(part, within ?? {}, lost);
    if (isEmpty(rest) || (within !== undefined && name !== 'field metadata')) return rest;
    lost.push(`the API server does not check the constraints that only one alternative has for its ${name}`);
    return {};
  };
  const properties = Object.entries(propertiesOf(node)).flatMap(([name, field]) => {
    const rest = inner(field, fieldOf(structure, name), `field ${name}`);
    return isEmpty(rest) ? [] : [[name, rest] as const];
  });
  const items = node.items === undefined ? {} : inner(node.items, structure.items, 'items');
  for (const keyword of ['additionalProperties', ...extensions]) {
    if (keyword in node && !isSame(node[keyword], structure[keyword])) {
      lost.push(`${keyword} of only one of these is not checked by the API server`);
    }
  }
  return {
    ...rest,
    ...(node.type === 'integer' && structure.type === 'number' ? { multipleOf: 1 } : {}),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(isEmpty(items) ? {} : { items }),
  };
}

/** Forbids the fields that only others have. */
function withoutOthers(node: Node, structure: Node): Node {
  const ownProperties = propertiesOf(node);
  const others = Object.keys(propertiesOf(structure)).filter((name) => !Object.hasOwn(ownProperties, name));
  const [first, ...more] = others.map((name) => ({ required: [name] }));
  if (first === undefined || 'not' in node) return {};
  return { not: more.length === 0 ? first : { anyOf: [first, ...more] } };
}
