import { notAcceptable, unsupportedMediaType } from '../statuses.ts';

/** The form of objects that a client asks for. */
export type Representation = 'object' | 'metadata';

/** Returns the parts of each media type of an `Accept` header, in its order: `{ type: 'application/json', as: 'Table', … }`. */
export function acceptedTypes(accept: string): readonly Readonly<Record<string, string>>[] {
  return accept.split(',').map((text) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
    return Object.fromEntries([['type', type], ...parameters.map((parameter) => parameter.split('='))]);
  });
}

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || type === '*/*' || type === 'application/*' || type === '';

/** Returns the representation that a client prefers among those that are served. Throws 406 if there is none. */
export function representationOf(accept = '*/*'): Representation {
  for (const { type, as, g, v } of acceptedTypes(accept)) {
    if (!isJson(type)) continue;
    if (as === undefined) return 'object';
    const isMetadata = as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
    if (isMetadata && g === 'meta.k8s.io' && v === 'v1') return 'metadata';
  }
  throw notAcceptable();
}

/** Returns the media type of a body, without its parameters. Throws 415 if it is not among those that are read. */
export function contentTypeOf(header: string | undefined, accepted: readonly string[]): string {
  const type = header?.split(';')[0]?.trim() ?? '';
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return type;
}
