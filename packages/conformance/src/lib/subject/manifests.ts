import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { PolicyUnderTest, StrategyName } from './policy-under-test.ts';

const gatewayGroup = 'gateway.networking.k8s.io';

/** Returns a Gateway with one listener, `http`, for routes of its namespace. */
export function gateway({ gatewayClassName }: PolicyUnderTest, name: string): KubernetesObject {
  const listeners = [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }];
  return {
    apiVersion: `${gatewayGroup}/v1`,
    kind: 'Gateway',
    metadata: { name },
    spec: { gatewayClassName, listeners },
  };
}

/** Returns a Service, the backend of routes. */
export function service(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ name: 'http', port: 80 }] } };
}

/** Returns an HTTPRoute with one rule, `rule`, below some Gateways. */
export function route(name: string, gateways: readonly string[], backend: string): KubernetesObject {
  const rule = {
    name: 'rule',
    matches: [{ path: { type: 'PathPrefix', value: '/' } }],
    backendRefs: [{ name: backend, port: 80 }],
  };
  return {
    apiVersion: `${gatewayGroup}/v1`,
    kind: 'HTTPRoute',
    metadata: { name },
    spec: { parentRefs: gateways.map((parent) => ({ name: parent })), rules: [rule] },
  };
}

export interface PolicyParts {
  readonly name: string;
  /** The target, `Gateway edge` or `Gateway edge#http`. */
  readonly on: string;
  /** Default: the first strategy of the kind that can be at the top of a hierarchy. */
  readonly strategy: StrategyName;
  readonly spec: JsonObject;
  /** The namespace of the target. Default: the policy's namespace, which is then not written. */
  readonly targetNamespace?: string;
}

export function policyWith(subject: PolicyUnderTest, parts: PolicyParts): KubernetesObject {
  const { group, version, kind } = subject.policy;
  const { name, strategy, spec, targetNamespace } = parts;
  const form = subject.strategies[strategy] ?? {};
  const fields = { ...form.with, ...spec };
  const target = {
    ...targetRef(parts.on),
    ...(targetNamespace === undefined ? {} : { namespace: targetNamespace }),
  };
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec: { targetRefs: [target], ...(form.stanza === undefined ? fields : { [form.stanza]: fields }) },
  };
}

/** Returns a reference to a target: `Gateway edge#http`. */
export function targetRef(target: string) {
  const [kind = '', place = ''] = target.split(' ');
  const [name = '', sectionName] = place.split('#');
  const group = kind === 'Service' ? '' : gatewayGroup;
  return { group, kind, name, ...(sectionName === undefined ? {} : { sectionName }) };
}
