import type { ObjectWrite, WriteOperation } from '@policy-machinery/cluster';
import { type KubernetesObject, locatorOf, PolicyMachineryError, refOf } from '@policy-machinery/resource';

/** A finalizer that API servers take: a domain, a slash and a name. */
const form = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/**
 * Refuses a finalizer that no API server takes.
 *
 * @throws {PolicyMachineryError} `invalid-finalizer`.
 */
export function checkFinalizer(name: string): void {
  if (form.test(name)) return;
  const message = `The finalizer ${JSON.stringify(name)} is not a domain with a name of at most 63 characters; write one such as example.com/cleanup`;
  throw new PolicyMachineryError('invalid-finalizer', message);
}

export function hasFinalizer(object: KubernetesObject, name: string): boolean {
  return finalizersOf(object).includes(name);
}

/** Returns the write that adds a finalizer to an object, or removes it and no other. It fails if the object has changed. */
export function finalizerWrite(object: KubernetesObject, name: string, action: 'add' | 'remove'): ObjectWrite {
  const { apiVersion, kind, metadata } = object;
  const { resourceVersion } = metadata;
  const guard: WriteOperation = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
  const others = finalizersOf(object).filter((it) => it !== name);
  const finalizers = action === 'add' ? [...others, name] : others;
  return {
    ref: refOf(object),
    locator: locatorOf(object),
    subresource: undefined,
    patch: [guard, ...(action === 'add' ? adding(object, name) : removing(object, name))],
    apply: {
      apiVersion,
      kind,
      metadata: { name: metadata.name, finalizers, ...(resourceVersion && { resourceVersion }) },
    },
  };
}

function adding(object: KubernetesObject, name: string): readonly WriteOperation[] {
  const isFirst = finalizersOf(object).length === 0;
  const path = '/metadata/finalizers';
  return [isFirst ? { op: 'add', path, value: [name] } : { op: 'add', path: `${path}/-`, value: name }];
}

function removing(object: KubernetesObject, name: string): readonly WriteOperation[] {
  const path = `/metadata/finalizers/${finalizersOf(object).indexOf(name)}`;
  return [
    { op: 'test', path, value: name },
    { op: 'remove', path },
  ];
}

function finalizersOf({ metadata }: KubernetesObject): readonly string[] {
  return 'finalizers' in metadata && Array.isArray(metadata.finalizers) ? metadata.finalizers.map(String) : [];
}
