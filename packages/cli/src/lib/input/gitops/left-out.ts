import { basename } from 'node:path';
import {
  type GroupKind,
  groupKindKey,
  groupKindOf,
  isJsonObject,
  type KubernetesObject,
} from '@policy-machinery/resource';
import type { Sign } from '../../model/unrendered.ts';
import type { Kustomization } from './kustomization.ts';
import type { ObjectInFile } from './object-in-file.ts';

/** An object that a deployer may not apply, or not unchanged, with the cause. */
export interface LeftOut {
  readonly object: KubernetesObject;
  readonly sign: Sign;
}

/**
 * Annotations that keep deployers from applying an object with all others, or unchanged, each with the values that have this effect.
 *
 * - Argo CD: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/
 * - Helm, which Argo CD follows: https://helm.sh/docs/topics/charts_hooks/
 * - Flux: https://fluxcd.io/flux/components/kustomize/kustomizations/
 * - Kubernetes: https://kubernetes.io/docs/reference/labels-annotations-taints/
 * - Config Sync: https://cloud.google.com/anthos-config-management/docs/how-to/managing-objects
 * - kapp: https://github.com/carvel-dev/kapp/releases/tag/v0.43.0
 */
const annotations: Readonly<Record<string, RegExp>> = {
  'argocd.argoproj.io/hook': /./,
  'helm.sh/hook': /./,
  'kustomize.toolkit.fluxcd.io/reconcile': /^disabled$/i,
  'kustomize.toolkit.fluxcd.io/ssa': /^(?:Ignore|IfNotPresent|Merge)$/i,
  'config.kubernetes.io/local-config': /^(?!false$)/,
  'configmanagement.gke.io/managed': /^disabled$/,
  'kapp.k14s.io/noop': /^/,
  'kapp.k14s.io/exists': /^/,
};

/** The kinds outside of groups with a domain that decide about requests. */
const coreKinds: ReadonlySet<string> = new Set(['Service', 'Namespace']);

/**
 * Returns the objects that a deployer may leave out: because of an annotation, or because the kustomization above their file does not name it.
 *
 * @param kinds Returns the kinds that answers are about.
 * @param leavingOut Returns the kustomization that leaves out a file.
 */
export function leftOutOf(
  objects: readonly ObjectInFile[],
  kinds: () => readonly GroupKind[],
  leavingOut: (file: string) => Kustomization | undefined,
): readonly LeftOut[] {
  const effect = 'may leave out';
  const all = objects.flatMap(({ object, source }): readonly LeftOut[] => {
    const annotation = leavingAnnotation(object);
    if (annotation !== undefined) return [{ object, sign: { what: `the annotation ${annotation}`, source, effect } }];
    const kustomization = leavingOut(source);
    if (kustomization === undefined) return [];
    return [{ object, sign: { what: `a list without ${basename(source)}`, source: kustomization.source, effect } }];
  });
  if (all.length === 0) return all;
  const keys = new Set(kinds().map(groupKindKey));
  return all.filter(({ object }) => {
    const { group, kind } = groupKindOf(object);
    return keys.has(groupKindKey({ group, kind })) && (group.includes('.') || coreKinds.has(kind));
  });
}

function leavingAnnotation({ metadata: { annotations: own } }: KubernetesObject): string | undefined {
  if (!isJsonObject(own)) return undefined;
  return Object.keys(annotations).find(
    (name) => Object.hasOwn(own, name) && annotations[name]?.test(String(own[name])),
  );
}
