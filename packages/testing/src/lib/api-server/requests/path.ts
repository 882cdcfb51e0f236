/** The target of a URL: a collection of objects, or one of them. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace?: string;
  readonly plural: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** The subresources of namespaces, which are not plurals of kinds in them. */
const subresourcesOfNamespaces = ['status', 'finalize'];

/**
 * Reads the path of a resource.
 *
 * @param path `/apis/GROUP/VERSION/namespaces/NAMESPACE/PLURAL/NAME/SUBRESOURCE`, or `/api/v1/…` in the core group.
 * @returns Its parts; nothing for the path of a group or a version, or any other path.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const [root, ...segments] = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent);
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : segments.shift();
  const version = segments.shift();
  if (group === undefined || version === undefined) return undefined;
  const [first, second, third] = segments;
  const isInNamespace =
    first === 'namespaces' && second !== undefined && third !== undefined && !subresourcesOfNamespaces.includes(third);
  const [plural, name, subresource, ...more] = isInNamespace ? segments.slice(2) : segments;
  if (plural === undefined || more.length > 0) return undefined;
  return {
    group,
    version,
    ...(isInNamespace ? { namespace: second } : {}),
    plural,
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}
