import { isJsonObject, type JsonValue, matchesSelector } from '@policy-machinery/resource';
import { gatewayGroup } from './group.ts';
import { isHostname } from './hostname.ts';
import { faultsBy, listOf, objectOf, oneOf, port, type Shape, scalar, text } from './shape.ts';

/*
 * The shapes that resources of Gateway API need so that all of their links and sections can be read. This package does not read other
 * fields.
 */

const named = (): readonly string[] => ['name'];
const reference = { group: text, kind: text, namespace: text, name: text };
const hostname = scalar('a hostname, such as "www.example.com" or "*.example.com"', isHostname);

const parentRef = objectOf({ ...reference, sectionName: text, port }, 'an object with the name of a parent', named);
const mirrored = objectOf({ ...reference, port }, 'an object with the name of a backend', named);

/** The required field of a filter, by type. */
const fieldOfFilter = new Map<unknown, readonly string[]>([
  ['RequestMirror', ['requestMirror']],
  ['ExtensionRef', ['extensionRef']],
]);
const filter = objectOf(
  {
    type: text,
    requestMirror: objectOf({ backendRef: mirrored }, undefined, () => ['backendRef']),
    extensionRef: objectOf({ group: text, kind: text, name: text }, 'an object with group, kind and name', named),
  },
  'an object with a type',
  ({ type }) => fieldOfFilter.get(type) ?? [],
);
const filters = listOf(filter, 'a list of filters');
const backendRef = objectOf({ ...reference, port, filters }, 'an object with the name of a backend', named);

const namedValue = objectOf({ type: text, name: text, value: text }, 'an object with name and value');
const namedValues = listOf(namedValue, 'a list of objects with name and value');

/** The matches of the kinds of routes that have any. */
const matches = new Map<string, Shape>([
  [
    'HTTPRoute',
    objectOf({
      path: objectOf({ type: text, value: text }),
      method: text,
      headers: namedValues,
      queryParams: namedValues,
    }),
  ],
  ['GRPCRoute', objectOf({ method: objectOf({ type: text, service: text, method: text }), headers: namedValues })],
]);

export function faultsOfRoutes(kind: string): ReturnType<typeof faultsBy> {
  const match = matches.get(kind);
  const rule = objectOf({
    name: text,
    filters,
    backendRefs: listOf(backendRef, 'a list of backends'),
    ...(match && { matches: listOf(match, 'a list of matches') }),
  });
  return faultsOf({
    parentRefs: listOf(parentRef, 'a list of parents'),
    hostnames: listOf(hostname, 'a list of hostnames'),
    rules: listOf(rule, 'a list of rules'),
    useDefaultGateways: text,
  });
}

const selector = scalar('a label selector', isSelector);
const namespaces = objectOf({ from: oneOf('All', 'Same', 'Selector', 'None'), selector });

const allowedKind = objectOf({ group: text, kind: text }, 'an object with group and kind', () => ['kind']);
const certificateRef = objectOf(reference, 'an object with the name of a Secret', named);
const listener = objectOf({
  name: text,
  port,
  protocol: text,
  hostname: scalar('a hostname, or leave it out', (value) => value === '' || isHostname(value)),
  tls: objectOf({ mode: text, certificateRefs: listOf(certificateRef, 'a list of certificates') }),
  allowedRoutes: objectOf({ kinds: listOf(allowedKind, 'a list of kinds'), namespaces }),
});
const listeners = listOf(listener, 'a list of listeners');

export const faultsOfGateways = faultsOf({
  gatewayClassName: text,
  listeners,
  allowedListeners: objectOf({ namespaces }),
  defaultScope: text,
});

const gatewayRef = objectOf(
  { ...reference, group: oneOf(gatewayGroup), kind: oneOf('Gateway') },
  'an object with the name of a Gateway',
  named,
);

export const faultsOfListenerSets = faultsOf({ parentRef: gatewayRef, listeners }, ['parentRef']);

export const faultsOfGatewayClasses = faultsOf({});

export const faultsOfServices = faultsOf({ ports: listOf(objectOf({ name: text, port }), 'a list of ports') });

function faultsOf(
  fields: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): ReturnType<typeof faultsBy> {
  return faultsBy(objectOf(fields, undefined, () => required));
}

/** Returns whether a value can be read as conditions on labels, whether or not any labels satisfy them. */
function isSelector(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  try {
    matchesSelector(value);
    return true;
  } catch {
    return false;
  }
}
