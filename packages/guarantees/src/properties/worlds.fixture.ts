import { type JsonObject, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import fc from 'fast-check';

/** The references of a rule to backends, each with a port and a weight; `undefined` if they stay as they are. */
const backends = fc.constantFrom<readonly (readonly [name: string, port: number, weight?: number])[] | undefined>(
  undefined,
  [['s', 80]],
  [['t', 81, 0]],
  [
    ['s', 80, 1],
    ['t', 81, 3],
  ],
  [
    ['s', 80, 0],
    ['t', 80],
  ],
  [
    ['s', 80, 0],
    ['s', 80, 1],
    ['s', 81, 0],
  ],
);

/** Returns random objects of which rules that do not delegate refer to the Services `s` and `t`, some with the weight 0. */
export function withBackends(
  worlds: fc.Arbitrary<readonly KubernetesObject[]>,
): fc.Arbitrary<readonly KubernetesObject[]> {
  return fc.tuple(worlds, fc.array(backends, { minLength: 8, maxLength: 8 })).map(([objects, choices]) => {
    let count = 0;
    const ruleWith = (rule: JsonObject): JsonObject => {
      const refs = choices[count++ % choices.length];
      if (refs === undefined || rule.backendRefs !== undefined) return rule;
      const backendRefs = refs.map(([name, port, weight]) => ({
        name,
        namespace: 'n',
        port,
        ...(weight !== undefined && { weight }),
      }));
      return { ...rule, backendRefs };
    };
    const isThere = (name: string) => objects.some((it) => it.kind === 'Service' && it.metadata.name === name);
    const missing = ['s', 't'].filter((name) => !isThere(name));
    const routes = objects.map((each) =>
      each.kind.endsWith('Route') ? withSpec(each, { rules: objectsIn(specOf(each).rules).map(ruleWith) }) : each,
    );
    return [...routes, ...missing.map(service)];
  });
}

function service(name: string): KubernetesObject {
  const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'n', name }, spec: { ports } };
}

/** A backend of a rule. */
export interface Backend {
  readonly name: string;
  readonly port: number;
}

/** Returns the backends that receive requests of a rule: those with a weight, in the namespace of the route. `undefined` is one for no backend. */
export function receivers(route: KubernetesObject, ruleIndex: number): readonly (Backend | undefined)[] {
  const refs = objectsIn(objectsIn(specOf(route).rules)[ruleIndex]?.backendRefs);
  const found = refs.flatMap(({ kind = 'Service', name, port, weight = 1 }): readonly Backend[] =>
    kind === 'Service' && weight !== 0 && route.metadata.namespace === 'n'
      ? [{ name: String(name), port: Number(port) }]
      : [],
  );
  return found.length === 0 ? [undefined] : found;
}

/** What the status says of a parent or a listener. */
const sayings = ['nothing', 'refused', 'refused', 'accepted', 'accepted by one of two', 'unknown', 'stale'] as const;

type Saying = (typeof sayings)[number];

/** Objects with statuses, and the same objects without these, and with missing parents and listeners where the statuses refuse them. */
export interface Reported {
  readonly objects: readonly KubernetesObject[];
  readonly plain: readonly KubernetesObject[];
}

/** Returns random objects with statuses that agree with their specs, or refuse more. */
export function withStatuses(worlds: fc.Arbitrary<readonly KubernetesObject[]>): fc.Arbitrary<Reported> {
  return fc
    .tuple(worlds, fc.array(fc.constantFrom(...sayings), { minLength: 16, maxLength: 16 }))
    .map(([objects, said]) => {
      let count = 0;
      const next = (): Saying => said[count++ % said.length] ?? 'nothing';
      const both = objects.map((each) => {
        if (each.kind === 'Gateway') return reportedGateway(each, next);
        return each.kind.endsWith('Route') ? reportedRoute(each, next) : { object: each, plain: each };
      });
      return { objects: both.map(({ object }) => object), plain: both.map(({ plain }) => plain) };
    });
}

interface Both {
  readonly object: KubernetesObject;
  readonly plain: KubernetesObject;
}

function reportedRoute(route: KubernetesObject, next: () => Saying): Both {
  const said = objectsIn(specOf(route).parentRefs).map((parentRef) => ({ parentRef, saying: next() }));
  if (said.length === 0) return { object: route, plain: route };
  const parents = said.flatMap(({ parentRef, saying }) => {
    const of = (controllerName: string, as: Saying) => ({ controllerName, parentRef, conditions: conditionsOf(as) });
    if (saying === 'nothing') return [];
    return saying === 'accepted by one of two' ? [of('a', 'refused'), of('b', 'accepted')] : [of('a', saying)];
  });
  // A route without any parents may be a child of each route that delegates to it, so another parent takes the place.
  const left = said.map(({ parentRef, saying }) => (saying === 'refused' ? { name: 'gone' } : parentRef));
  return { object: withStatus(route, { parents }), plain: withSpec(route, { parentRefs: left }) };
}

/** Of a Gateway, nothing is said, or something of each listener: controllers accept one of two with the same port that conflict. */
function reportedGateway(gateway: KubernetesObject, next: () => Saying): Both {
  const whole = next();
  const all = objectsIn(specOf(gateway).listeners);
  if (whole === 'nothing') return { object: gateway, plain: gateway };
  const accepted: JsonObject[] = [];
  const listeners = all.map((listener) => {
    const isRival = accepted.some((other) => other.port === listener.port && inConflict(other, listener));
    const isRefused = isRival || next() === 'refused';
    if (!isRefused) accepted.push(listener);
    return { name: String(listener.name), conditions: conditionsOf(isRefused ? 'refused' : 'accepted', whole) };
  });
  const counts = whole !== 'stale' && whole !== 'unknown';
  const left = whole === 'refused' ? [] : counts ? accepted : all;
  const status = { conditions: conditionsOf(whole), listeners: counts ? listeners : [] };
  return { object: withStatus(gateway, status), plain: withSpec(gateway, { listeners: left }) };
}

function inConflict(one: JsonObject, other: JsonObject): boolean {
  return one.protocol !== other.protocol || one.hostname === other.hostname;
}

function conditionsOf(saying: Saying, whole: Saying = saying): readonly JsonObject[] {
  const status = saying === 'unknown' ? 'Unknown' : saying === 'refused' || saying === 'stale' ? 'False' : 'True';
  const observedGeneration = saying === 'stale' || whole === 'stale' ? 1 : 2;
  return [{ type: 'Accepted', status, reason: 'Reason', observedGeneration }];
}

function withSpec(object: KubernetesObject, spec: JsonObject): KubernetesObject {
  return { ...object, spec: { ...specOf(object), ...spec } };
}

function withStatus(object: KubernetesObject, status: JsonObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, generation: 2 }, status };
}
