import type { KubernetesObject } from '@policy-machinery/resource';
import { gateway, route, service } from '../subject/manifests.ts';
import type { PolicyUnderTest } from '../subject/policy-under-test.ts';
import type { CheckContext } from './check.ts';

/** The first target of the kind, and objects around it. */
export interface World {
  /** `Gateway edge`. */
  readonly target: string;
  /** The target itself. */
  readonly object: KubernetesObject;
  readonly others: readonly KubernetesObject[];
}

/** Returns a Gateway with a route and a Service, before any of them exists, and the targets among them. */
export function worldFor(subject: PolicyUnderTest): World {
  const objects = [gateway(subject, 'edge'), service('backend'), route('route', ['edge'], 'backend')];
  const [first = ''] = subject.targets;
  const [kind = '', section] = first.split('#');
  const sections: Readonly<Record<string, string>> = { listener: 'http', rule: 'rule' };
  const object = objects.find((it) => it.kind === kind);
  if (object === undefined) throw new Error(`the world of checks does not have a ${kind}`);
  const suffix = section === undefined ? '' : `#${sections[section] ?? section}`;
  return {
    target: `${kind} ${object.metadata.name}${suffix}`,
    object,
    others: objects.filter((it) => it !== object),
  };
}

/** Creates the world. Returns its target. */
export async function createWorld({ subject, client }: CheckContext): Promise<string> {
  const { target, object, others } = worldFor(subject);
  await client.create(...others, object);
  return target;
}

/** Creates a Gateway with routes, each with its own Service: `r1`, `r2`. */
export async function createHierarchy({ subject, client }: CheckContext, ...routes: readonly string[]): Promise<void> {
  await client.create(gateway(subject, 'edge'));
  for (const name of routes) await client.create(service(`${name}-backend`), route(name, ['edge'], `${name}-backend`));
}
