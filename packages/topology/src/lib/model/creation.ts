import type { GroupKind } from '@policy-machinery/resource';

/** Resources that a controller creates for another resource. */
export interface Creation extends GroupKind {
  /** The name, where `*` stands for any characters: `edge-*`. */
  readonly name: string;
  /**
   * The namespace. Default: the namespace of the resource that they are created for, or any namespace if that resource or the created
   * kind is cluster-scoped.
   */
  readonly namespace?: string;
  /** The prefix of the paths of all requests that created routes take. Default: they may take any request. */
  readonly pathPrefix?: string;
}

/**
 * Returns whether a name may be the name of created resources.
 *
 * @param creation The resources that a controller creates.
 * @param name The name of a resource.
 */
export function mayBeNamed({ name: pattern }: Creation, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return name === pattern;
  const last = others.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of others) {
    const place = name.indexOf(part, from);
    if (place < 0 || place + part.length > name.length - last.length) return false;
    from = place + part.length;
  }
  return true;
}
