import { isJsonObject, type JsonObject, type KubernetesObject, objectIn, objectsIn } from '@policy-machinery/resource';
import fc from 'fast-check';
import { declaredObjects, object } from './declared-objects.fixture.ts';

/*
 * Random worlds, and the parts of them that files of one repository contain: without some objects of other repositories, without the routes that
 * controllers create, without ages, with variables in place of texts, and with charts in place of objects.
 */

/** A world, and a part of it. */
export interface DividedWorld {
  readonly whole: readonly KubernetesObject[];
  readonly part: readonly KubernetesObject[];
}

/** Text that a renderer replaces. */
const variable = '${' + 'VALUE}';

/** What files contain in place of an object, and what the whole world and the files both have beside it. */
interface Omission {
  readonly isOf: (object: KubernetesObject) => boolean;
  readonly written: (object: KubernetesObject) => readonly KubernetesObject[];
  readonly creator?: (object: KubernetesObject) => KubernetesObject;
}

const isRoute = ({ kind }: KubernetesObject): boolean => kind.endsWith('Route');

function isOfKind(...kinds: readonly string[]): Omission['isOf'] {
  return ({ kind }) => kinds.includes(kind);
}

const omissions: readonly Omission[] = [
  { isOf: isOfKind('GatewayClass', 'Gateway', 'Namespace', 'Deployment'), written: () => [] },
  { isOf: isOfKind('Service', 'Backend', 'Bucket', 'Secret', 'ReferenceGrant'), written: () => [] },
  { isOf: isRoute, written: () => [], creator: creatorOf('aigateway.envoyproxy.io/v1beta1', 'AIGatewayRoute') },
  { isOf: isRoute, written: () => [], creator: creatorOf('vendor.example/v1', 'ModelRoute') },
  { isOf: (it) => isRoute(it) || it.kind.endsWith('Policy'), written: () => [chart] },
  { isOf: (it) => isRoute(it) || it.kind.endsWith('Policy'), written: (it) => [withoutAge(it)] },
  { isOf: (it) => isRoute(it) || it.kind === 'Gateway', written: (it) => [withVariables(it)] },
];

const chart = object(
  'helm.toolkit.fluxcd.io/v2',
  'HelmRelease',
  { name: 'chart', namespace: 'a' },
  { chart: {}, values: { route: { enabled: true } } },
);

/** Any world, and any part of it. */
export const dividedWorlds: fc.Arbitrary<DividedWorld> = declaredObjects
  .chain((objects) => {
    const declared = uniqueOf(objects);
    return fc.constantFrom(declared, closed(declared), closed(declared));
  })
  .chain((declared) => {
    const possible = declared.flatMap((of) =>
      omissions.filter(({ isOf }) => isOf(of)).map((omission) => ({ of, omission })),
    );
    const chosen = fc.uniqueArray(fc.constantFrom(...possible), {
      minLength: 1,
      maxLength: 3,
      selector: ({ of }) => of,
    });
    return chosen.map((all) => divide(declared, new Map(all.map(({ of, omission }) => [of, omission]))));
  });

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

function divide(declared: readonly KubernetesObject[], omitted: ReadonlyMap<KubernetesObject, Omission>): DividedWorld {
  const creating = [...omitted].flatMap(([of, { creator }]) => creator?.(of) ?? []);
  const written = declared.flatMap((it) => omitted.get(it)?.written(it) ?? [it]);
  return { whole: [...declared, ...creating], part: uniqueOf([...written, ...creating]) };
}

/** Returns an object as a person writes it. */
function withoutAge({ metadata, ...others }: KubernetesObject): KubernetesObject {
  const { creationTimestamp, ...named } = metadata;
  return { ...others, metadata: named } as KubernetesObject;
}

/** Returns an object with variables in place of its hostnames. */
function withVariables(of: KubernetesObject): KubernetesObject {
  const spec = objectIn(of.spec);
  const listeners = objectsIn(spec.listeners).map((it) => ({ ...it, hostname: variable }));
  const changed = listeners.length > 0 ? { listeners } : { hostnames: [variable] };
  return { ...of, spec: { ...spec, ...changed } } as KubernetesObject;
}

/** Returns a function that returns the object for which a controller creates a route. */
function creatorOf(apiVersion: string, kind: string): (route: KubernetesObject) => KubernetesObject {
  return ({ metadata: { name, namespace: own = '' }, spec }) =>
    object(apiVersion, kind, { name, namespace: own }, { parentRefs: objectIn(spec).parentRefs });
}

function uniqueOf(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map(objects.map((it) => [`${it.kind} ${it.metadata.namespace}/${it.metadata.name}`, it]));
  return [...byName.values()];
}
