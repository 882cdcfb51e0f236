import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  type ReleasedDefinition,
} from '@policy-machinery/resource';
import fc from 'fast-check';
import { declaredObjects } from './declared-objects.fixture.ts';
import { type Omission, omissions, withoutNamespaces } from './omissions.fixture.ts';
import { withStatuses } from './reported-statuses.fixture.ts';

/*
 * Random worlds, and the parts of them that files of one repository contain: without some objects of other repositories, without the routes that
 * controllers create, without ages, statuses, definitions and default values, with variables in place of texts, with charts in place
 * of objects, and without namespaces.
 */

/** A world, and a part of it. */
export interface DividedWorld {
  readonly whole: readonly KubernetesObject[];
  readonly part: readonly KubernetesObject[];
  /** The objects that the part has without their namespaces. */
  readonly unnamed: readonly KubernetesObject[];
  /** The definitions of the cluster, of a release that lacks settings. The part is without them. */
  readonly definitions: readonly KubernetesObject[];
  /** The definitions of another release, which the part is read with. */
  readonly released: readonly ReleasedDefinition[];
}

/** The kinds that releases define in different ways. */
const definedKinds = [
  ['gateway.envoyproxy.io', 'v1alpha1', 'BackendTrafficPolicy'],
  ['gateway.envoyproxy.io', 'v1alpha1', 'SecurityPolicy'],
  ['gateway.kgateway.dev', 'v1alpha1', 'TrafficPolicy'],
  ['kuadrant.io', 'v1', 'AuthPolicy'],
] as const;

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

function definitionOf([group, version, kind]: (typeof definedKinds)[number], spec: JsonObject): KubernetesObject {
  const plural = `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, names: { kind, plural }, scope: 'Namespaced' },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const list = { type: 'array', items: open } as const;

/** Nothing, or a kind that the cluster has without its settings, and the part with them. */
const releases = fc.option(fc.constantFrom(...definedKinds), { nil: undefined, freq: 2 }).map((kind) => {
  if (kind === undefined) return { definitions: [], released: [] };
  const targets = { type: 'object', properties: { targetRef: open, targetRefs: list, targetSelectors: list } };
  return {
    definitions: [definitionOf(kind, targets)],
    released: [{ definition: definitionOf(kind, open), release: 'Release v2' }],
  };
});

const isRoute = ({ kind }: KubernetesObject): boolean => kind.endsWith('Route');

/** Any world, and any part of it. */
export const dividedWorlds: fc.Arbitrary<DividedWorld> = declaredObjects
  .chain((objects) => {
    const declared = uniqueOf(objects);
    return fc.constantFrom(declared, closed(declared), closed(declared));
  })
  .chain((declared) => {
    const possible = declared.flatMap((of) =>
      omissions.filter((it) => it.isOf(of)).map((omission) => ({ of, omission })),
    );
    const chosen = fc.uniqueArray(fc.constantFrom(...possible), {
      minLength: 1,
      maxLength: 3,
      // Two objects of one name are not without namespaces both.
      selector: ({ of, omission }) => (omission === withoutNamespaces ? of.metadata.name : of),
    });
    return fc
      .record({ chosen, statuses: fc.constantFrom('none', 'of the whole', 'of both'), defined: releases })
      .map(({ chosen: all, statuses, defined }) => {
        const reported = statuses === 'none' ? declared : withStatuses(declared);
        const written = new Map(all.map(({ of, omission }) => [declared.indexOf(of), omission]));
        return { ...divide(reported, statuses === 'of both' ? reported : declared, written), ...defined };
      });
  });

type Releases = Pick<DividedWorld, 'definitions' | 'released'>;

/** Returns objects without their references to objects that are not among them. */
function closed(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const names = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`));
  return objects.flatMap((of) => {
    const exists = ({ kind = 'Gateway', name, namespace: other = of.metadata.namespace }: JsonObject): boolean =>
      names.has(`${kind} ${other}/${name}`);
    const { parentRefs, rules, targetRefs, ...spec } = objectIn(of.spec);
    const [only] = [spec.targetRef, spec.parentRef].filter((it) => isJsonObject(it));
    if (only !== undefined && !exists(only)) return [];
    const existing = (refs: unknown): readonly JsonObject[] => objectsIn(refs).filter(exists);
    const left = {
      ...(parentRefs !== undefined && { parentRefs: existing(parentRefs) }),
      ...(targetRefs !== undefined && { targetRefs: existing(targetRefs) }),
      ...(isRoute(of) && {
        rules: objectsIn(rules).map((rule) => ({ ...rule, backendRefs: existing(rule.backendRefs) })),
      }),
    };
    return [{ ...of, spec: { ...(rules !== undefined && { rules }), ...spec, ...left } } as KubernetesObject];
  });
}

/**
 * Divides a world.
 *
 * @param whole Its objects.
 * @param files The same objects, as files have them.
 * @param omitted What the files have in place of some, by their places.
 */
function divide(
  whole: readonly KubernetesObject[],
  files: readonly KubernetesObject[],
  omitted: ReadonlyMap<number, Omission>,
): Omit<DividedWorld, keyof Releases> {
  const creating = [...omitted].flatMap(([index, { creator }]) => creator?.(files[index] as KubernetesObject) ?? []);
  const written = files.flatMap((it, index) => omitted.get(index)?.written(it) ?? [it]);
  const unnamed = files.filter((_, index) => omitted.get(index) === withoutNamespaces);
  return { whole: [...whole, ...creating], part: uniqueOf([...written, ...creating]), unnamed };
}

function uniqueOf(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map(objects.map((it) => [`${it.kind} ${it.metadata.namespace}/${it.metadata.name}`, it]));
  return [...byName.values()];
}
