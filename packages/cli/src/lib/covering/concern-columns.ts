import { concerns } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { closestNames } from '../model/closest.ts';
import { UsageError } from '../model/usage-error.ts';

/** The headers of columns that are shorter than the names of concerns. */
const headers: { readonly [Name in ConcernName]?: string } = {
  authentication: 'AUTHN',
  authorization: 'AUTHZ',
  'client-tls': 'TLS',
  'client-certificate': 'CLIENT CERT',
  'request-size': 'SIZE',
};

/** Returns the header of the column of a concern. Required concerns have an asterisk. */
export function headerOf(name: ConcernName, isRequired: boolean): string {
  return `${headers[name] ?? name.replaceAll('-', ' ').toUpperCase()}${isRequired ? '*' : ''}`;
}

/** Returns the name of a concern in a sentence: `rate limit`. */
export function titleOf(name: ConcernName): string {
  const title = concerns.find((concern) => concern.name === name)?.title ?? name;
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
}

/** The concerns that tables show first. */
export const mainConcerns: readonly ConcernName[] = [
  'authentication',
  'authorization',
  'client-tls',
  'backend-tls',
  'rate-limit',
  'waf',
  'request-size',
  'timeout',
];

/**
 * Returns the concern of a name.
 *
 * @throws {UsageError} If there is none. The message suggests the closest name.
 */
export function concernNamed(text: string): ConcernName {
  const found = concerns.find(({ name }) => name === text);
  if (found !== undefined) return found.name;
  const names = concerns.map(({ name }) => name);
  const [closest] = closestNames(text, names);
  const advice = closest === undefined ? `use one of ${names.join(', ')}` : `did you mean ${closest}?`;
  throw new UsageError(`${text} is not a concern; ${advice}`);
}
