import { concerns } from '@policy-machinery/known-kinds/concerns';
import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
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

/** Returns the name of a concern in a heading: `Rate limit`. */
export function headingOf(concern: ConcernName): string {
  return concerns.find(({ name }) => name === concern)?.title ?? concern;
}

/** Returns the name of a concern in a sentence: `rate limit`. */
export function titleOf(name: ConcernName): string {
  const title = headingOf(name);
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
  if (!isConcern(text)) throw new UsageError(`${text} is not a concern; ${concernAdvice(text)}`);
  return text;
}

/** Returns whether a concern has this name. */
export function isConcern(text: string): text is ConcernName {
  return concernNames.some((name) => name === text);
}

/** Returns the advice for a name that is not a concern: the closest name, the name with this header, or all names. */
export function concernAdvice(text: string): string {
  const abbreviated = concernNames.find((name) => headers[name] === text.toUpperCase());
  const closest = abbreviated ?? closestNames(text, concernNames)[0];
  return closest === undefined ? `use one of ${concernNames.join(', ')}` : `did you mean ${closest}?`;
}
