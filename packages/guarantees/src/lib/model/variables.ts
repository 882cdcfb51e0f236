import type { CelTest, CelTestedVariables, CelType, CelVariables } from '@policy-machinery/cel';
import { concernNames } from '@policy-machinery/policy-kind';
import { protections } from '../verify/concerns.ts';
import type { Guarantee } from './guarantee.ts';
import type { VerifiedKind } from './verified-kind.ts';

const strings: CelType = { map: 'string' };
const object = { kind: 'string', namespace: 'string', name: 'string', labels: strings, annotations: strings } as const;

/** A field, and a stanza of a policy that sets it. */
const setter = { pointer: 'string', namespace: 'string', name: 'string', labels: strings, stanza: 'string' } as const;

const origin: CelType = {
  fields: {
    ...setter,
    target: { fields: { kind: 'string', namespace: 'string', name: 'string', section: 'string' } },
  },
};

const loss: CelType = {
  fields: {
    ...setter,
    rule: 'string',
    to: { list: { fields: { namespace: 'string', name: 'string' } } },
  },
};

/** Returns the type of the effective policy of one kind that a request meets. */
function metType(spec: CelType): CelType {
  return { fields: { spec, origins: { list: origin }, lost: { list: loss } } };
}

const ofConcerns = <Type extends CelType>(type: Type) => ({
  fields: Object.fromEntries(concernNames.map((name) => [name, type])),
});

const pathTypes = ['Exact', 'PathPrefix', 'RegularExpression', ''];

const place = {
  taken: 'bool',
  concerns: ofConcerns({ oneOf: protections }),
  decidedBy: ofConcerns('string'),
  destinations: { list: 'string' },
  entry: { fields: object },
  gateway: { fields: object },
  listener: {
    fields: { name: 'string', port: 'int', protocol: 'string', hostname: 'string', tls: 'bool' },
  },
  route: { fields: { ...object, namespaceLabels: strings, spec: 'any' } },
  rule: { fields: { name: 'string', index: 'int', spec: 'any' } },
  backend: { fields: { ...object, exists: 'bool', namespaceLabels: strings, port: 'any', spec: 'any' } },
  match: { fields: { hostname: 'string', path: 'string', pathType: { oneOf: pathTypes }, method: 'string' } },
} as const satisfies CelVariables;

/** The parts of a request that expressions test. */
export const testedVariables: CelTestedVariables = {
  request: {
    parts: {
      host: { example: 'shop.example.com', under: '*.example.com', fault: hostFault },
      path: { example: '/cart', under: '/admin', fault: pathFault },
      method: {
        example: 'GET',
        fault: ({ value }) =>
          value !== null && !/^[A-Z]+$/.test(value) ? 'methods are in upper case: GET' : undefined,
      },
      header: { example: 'always', named: 'x-canary' },
      query: { example: 'red', named: 'color' },
    },
    instead: {
      hostname: 'request.host, or match.hostname for the hostname of a match',
      pathType: 'match.pathType',
      headers: 'request.header("x-canary")',
      queryParams: 'request.query("color")',
    },
  },
};

function hostFault({ operator, value }: CelTest): string | undefined {
  const isWildcard = value?.startsWith('*.') === true;
  if (operator === 'under') return isWildcard ? undefined : 'request.host.under takes a wildcard: *.example.com';
  return isWildcard
    ? `a request does not have a wildcard as its host; write request.host.under(${JSON.stringify(value)})`
    : undefined;
}

function pathFault({ value }: CelTest): string | undefined {
  return value !== null && /^\/[^?#]*$/.test(value) ? undefined : 'a path begins with / and ends before ? and #: /cart';
}

/** Returns the variables of a guarantee's expressions, with their types. */
export function variablesFor(
  kinds: readonly VerifiedKind[],
  { about = 'requests' }: Pick<Guarantee, 'about'>,
): CelVariables {
  if (about === 'policies') {
    return { policy: { fields: { ...object, requests: 'int', attached: 'bool', spec: 'any' } } };
  }
  const met: Record<string, CelType> = {};
  for (const [name, kind] of namesOf(kinds)) met[name] = metType(kind.specType ?? 'any');
  return { ...place, policies: { fields: met } };
}

/**
 * Returns the variables of an expression that compares requests: beside its own, for each other request one with the same fields.
 *
 * @param own The variables of a guarantee about requests.
 * @param others The names of the other requests: `other`, `before`.
 */
export function comparedVariables(own: CelVariables, others: readonly string[]): CelVariables {
  return { ...own, ...Object.fromEntries(others.map((name) => [name, { fields: own }])) };
}

/** The variables for another request: of a comparison, and the same request before a change. */
const otherRequests: readonly (string | undefined)[] = ['other', 'before'];

/**
 * Returns the paths that expressions read of either request: `other.policies.AuthPolicy` is `policies.AuthPolicy` of the other one.
 *
 * @param reads The paths that expressions read.
 * @param own The variables of a guarantee about requests. An expression that reads `other` alone reads all of them.
 */
export function readsOfEither(
  reads: readonly (readonly string[])[],
  own: CelVariables,
): readonly (readonly string[])[] {
  const all = Object.keys(own).flatMap((name) => (name === 'taken' ? [] : [[name]]));
  return reads.flatMap((read) => {
    const [name, ...rest] = read;
    if (!otherRequests.includes(name)) return [read];
    return rest.length === 0 ? all : rest[0] === 'taken' ? [] : [rest];
  });
}

/** Returns the names of kinds in expressions: the kind alone if it is unique, and the kind with its group. O(kinds). */
export function namesOf(kinds: readonly VerifiedKind[]): ReadonlyMap<string, VerifiedKind> {
  const counts = new Map<string, number>();
  for (const { kind } of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const names = new Map<string, VerifiedKind>();
  for (const kind of kinds) {
    if (counts.get(kind.kind) === 1) names.set(kind.kind, kind);
    names.set(`${kind.kind}.${kind.group}`, kind);
  }
  return names;
}
