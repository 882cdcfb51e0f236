import { sep } from 'node:path';
import { type KubernetesObject, specOf } from '@policy-machinery/resource';

export function isFluxKustomization({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}

/** Returns the path of a Kustomization of Flux in the repository, without leading dots and slashes. */
export function fluxPath(object: KubernetesObject): string {
  const { path } = specOf(object);
  const parts = typeof path === 'string' ? path.split('/') : [];
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** Returns a path of this machine as repositories write it. */
export function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** Returns the ends of a path: all of it, and without one or more of its first folders. */
export function endsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, start) => parts.slice(start).join('/'));
}

/**
 * The kinds with controllers that render charts, templates or other repositories.
 *
 * - Fleet: https://github.com/rancher/fleet/tree/main/pkg/apis/fleet.cattle.io/v1alpha1
 * - Config Sync: https://cloud.google.com/kubernetes-engine/config-sync/docs/reference/rootsync-reposync-fields
 */
const chartKinds: Readonly<Record<string, RegExp>> = {
  App: /^kappctrl\.k14s\.io\//,
  PackageInstall: /^packaging\.carvel\.dev\//,
  ResourceSet: /^fluxcd\.controlplane\.io\//,
  HelmRelease: /^helm\.toolkit\.fluxcd\.io\//,
  Bundle: /^fleet\.cattle\.io\//,
  GitRepo: /^fleet\.cattle\.io\//,
  HelmOp: /^fleet\.cattle\.io\//,
  RootSync: /^configsync\.gke\.io\//,
  RepoSync: /^configsync\.gke\.io\//,
  HelmChart: /^helm\.cattle\.io\//,
  Application: /^argoproj\.io\//,
  ApplicationSet: /^argoproj\.io\//,
};

/** Returns whether the controller of an object renders charts or other repositories. */
export function rendersElsewhere({ kind, apiVersion }: KubernetesObject): boolean {
  return Object.hasOwn(chartKinds, kind) && chartKinds[kind]?.test(apiVersion) === true;
}
