import type { Guarantee, ObjectSelector, RequestSelector } from '../model/guarantee.ts';

/** The common options of the guarantees of the library. */
export interface LibraryOptions {
  /** The name. Default: the function's name, in words. */
  readonly name?: string | undefined;
  /** The requests that it is about. Default: all. */
  readonly requests?: RequestSelector | undefined;
  /** The requests that it is not about. Default: none. */
  readonly except?: readonly RequestSelector[] | undefined;
}

/** A guarantee about the policies of one kind. */
export interface KindGuaranteeOptions extends LibraryOptions {
  /** The policy kind: `AuthPolicy`; with its group, `AuthPolicy.kuadrant.io`, if several groups have a kind of this name. */
  readonly kind: string;
}

/** Returns the policies of a kind as an expression reads them. */
function met(kind: string, policies = 'policies'): string {
  return `${policies}[${JSON.stringify(kind)}]`;
}

function isMet(kind: string, policies = 'policies'): string {
  return kind.includes('.') ? `${JSON.stringify(kind)} in ${policies}` : `has(${policies}.${kind})`;
}

/** Returns whether a request and the other one meet the same: the same effective spec, or none. */
function meetSame(kind: string): string {
  const other = 'other.policies';
  const isSame = `${met(kind)}.spec == ${met(kind, other)}.spec`;
  return `(${isMet(kind)}) == (${isMet(kind, other)}) && (!(${isMet(kind)}) || ${isSame})`;
}

function guarantee(
  { name, requests, except }: LibraryOptions,
  own: Pick<Guarantee, 'name' | 'description' | 'other' | 'holds'>,
): Guarantee {
  return {
    ...own,
    ...(name === undefined ? {} : { name }),
    ...(requests === undefined ? {} : { requests }),
    ...(except === undefined ? {} : { except }),
  };
}

/**
 * Returns a guarantee that every request meets a policy of a kind: that every route is authenticated, that every listener has a policy.
 *
 * @param options The kind, such as `AuthPolicy`.
 */
export function everyRequestMeets(options: KindGuaranteeOptions): Guarantee {
  const { kind } = options;
  const description = `Every request meets a policy of the kind ${kind}.`;
  return guarantee(options, { name: 'every-request-meets', description, holds: isMet(kind) });
}

/**
 * Returns a guarantee that the overrides of one namespace prevail: nothing that they set loses to another policy, for any request.
 *
 * @param options The kind, and the namespace, such as a security team's.
 */
export function overridesPrevail(options: KindGuaranteeOptions & { readonly namespace: string }): Guarantee {
  const { kind, namespace } = options;
  const isLost = `l.namespace == ${JSON.stringify(namespace)} && l.stanza == "overrides"`;
  return guarantee(options, {
    name: 'overrides-prevail',
    description: `The overrides of the namespace ${namespace} prevail over all other policies of the kind ${kind}.`,
    holds: `!(${isMet(kind)}) || !${met(kind)}.lost.exists(l, ${isLost})`,
  });
}

/**
 * Returns a guarantee that no policy is without effect: each sets a field for a request.
 *
 * @param options The kind of the policies. Default: all kinds.
 */
export function noPolicyWithoutEffect({
  name,
  kind,
}: {
  readonly name?: string;
  readonly kind?: string;
} = {}): Guarantee {
  const isOther = kind === undefined ? '' : `policy.kind != ${JSON.stringify(kind)} || `;
  return {
    name: name ?? 'no-policy-without-effect',
    description: 'Each policy has an effect on a request.',
    about: 'policies',
    holds: `${isOther}policy.requests > 0`,
  };
}

/** A redirect to HTTPS, which expects requests without TLS. */
const isRedirected =
  'has(rule.spec.filters) && rule.spec.filters.exists(f, f.type == "RequestRedirect" && has(f.requestRedirect.scheme) && f.requestRedirect.scheme == "https")';

/**
 * Returns a guarantee that requests to public Gateways come by TLS, or are redirected to it.
 *
 * @param options The Gateways that are public. Default: all.
 */
export function tlsOnListeners(options: LibraryOptions & { readonly gateways?: ObjectSelector } = {}): Guarantee {
  const { gateways, requests = {} } = options;
  return guarantee(
    { ...options, requests: { ...requests, ...(gateways === undefined ? {} : { gateways }) } },
    {
      name: 'tls-on-listeners',
      description: 'Every request comes by TLS, or is redirected to it.',
      holds: `listener.tls || (${isRedirected})`,
    },
  );
}

/**
 * Returns a guarantee that every request meets a limit, and that the limit is at most a number.
 *
 * @param options The kind, the field of its effective spec, and the number: `{ kind: 'RateLimitPolicy', field: 'limit', most: 100 }`.
 */
export function limitsAtMost(
  options: KindGuaranteeOptions & { readonly field: string; readonly most: number },
): Guarantee {
  const { kind, field, most } = options;
  return guarantee(options, {
    name: 'limits-at-most',
    description: `The ${field} of the ${kind} of every request is at most ${most}.`,
    holds: `${met(kind)}.spec.${field} <= ${most}`,
  });
}

/**
 * Returns a guarantee that no wildcard hostname is served without a policy, such as one of a web application firewall.
 *
 * @param options The kind.
 */
export function noWildcardWithout(options: KindGuaranteeOptions): Guarantee {
  const { kind } = options;
  return guarantee(options, {
    name: 'no-wildcard-without-policy',
    description: `No request to a wildcard hostname is without a policy of the kind ${kind}.`,
    holds: `!match.hostname.startsWith("*") || ${isMet(kind)}`,
  });
}

/**
 * Returns a guarantee that canary requests meet the same policies as the stable ones: each request meets the same with and without a canary's
 * headers, and at each backend that weights may send it to.
 *
 * @param options The kind, and the headers that choose a canary. Default: weights alone do.
 */
export function canariesAlike(options: KindGuaranteeOptions & { readonly headers?: readonly string[] }): Guarantee {
  const { kind, headers = [] } = options;
  const without = headers.length === 0 ? '' : `, with and without ${headers.join(' and ')}`;
  return guarantee(options, {
    name: 'canaries-alike',
    description: `Each request meets the same ${kind} at every backend${without}.`,
    other: headers.length === 0 ? {} : { withoutHeaders: headers },
    holds: `!other.taken || ${meetSame(kind)}`,
  });
}

/**
 * Returns a guarantee that Gateways treat hostnames alike: a request to one of them is taken at all others, and meets the same policies there.
 *
 * @param options The kind, the Gateways, and the hostnames. Default: all hostnames.
 */
export function gatewaysAlike(
  options: KindGuaranteeOptions & { readonly gateways: ObjectSelector; readonly hostnames?: readonly string[] },
): Guarantee {
  const { kind, gateways, hostnames, requests = {} } = options;
  return guarantee(
    { ...options, requests: { ...requests, gateways, ...(hostnames === undefined ? {} : { hostnames }) } },
    {
      name: 'gateways-alike',
      description: `Each request is taken at all of these Gateways, and meets the same ${kind} there.`,
      other: { gateways },
      holds: `other.taken && ${meetSame(kind)}`,
    },
  );
}
