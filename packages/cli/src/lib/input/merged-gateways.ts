import { Gateway, ListenerSet } from '@policy-machinery/gateway-api';
import { areMerged } from '@policy-machinery/known-kinds/inner';
import { formatLocator, type JsonObject, type KubernetesObject, locatorOf, specOf } from '@policy-machinery/resource';
import { formatRef, formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { World } from '../model/world.ts';

/** Gateways of one class with listeners that take hosts in common at a port: if they share their proxies, each takes requests for the other. */
interface Rivals {
  readonly gatewayClass: KubernetesObject;
  readonly gateways: readonly [TargetNode, TargetNode];
  readonly port: number;
}

/** Returns the Gateways that share their proxies, or may, in sentences without a full stop: which listener takes a request is not computed there. */
export function mergedGateways(world: World): readonly string[] {
  return rivalsIn(world).flatMap(({ gatewayClass, gateways, port }) => {
    const missing: string[] = [];
    const merged = areMerged(gatewayClass, finderIn(world, missing));
    const names = gateways.map(formatTarget).sort().join(' and ');
    const [proxy] = missing;
    if (proxy !== undefined)
      return [`whether ${names} share their proxies depends on ${proxy}, which is not in this input`];
    return merged ? [`${names} share their proxies, and take hosts in common at port ${port}`] : [];
  });
}

/** Returns the assumptions about classes that do not state whether their Gateways share proxies, in clauses. */
export function mergeAssumptions(world: World): readonly string[] {
  const byDefault = rivalsIn(world).filter(({ gatewayClass }) => {
    const missing: string[] = [];
    return areMerged(gatewayClass, finderIn(world, missing)) === undefined && missing.length === 0;
  });
  return byDefault.map(({ gatewayClass: { metadata } }) => `that Gateways of class ${metadata.name} are not merged`);
}

/** Returns the first rivals of each class. O(listeners · labels). */
function rivalsIn({ objects, topology }: World): readonly Rivals[] {
  const classes = new Map(objects.flatMap((it) => (it.kind === 'GatewayClass' ? [[it.metadata.name, it]] : [])));
  const claims = [...topology.targetsOf([Gateway])].flatMap((gateway) => {
    const gatewayClass = classes.get(String(specOf(gateway.resource).gatewayClassName));
    return gatewayClass === undefined ? [] : listenersOf(gateway).map((it) => ({ gatewayClass, gateway, ...it }));
  });
  const keyOf = ({ metadata }: KubernetesObject, port: number, hostname: string) =>
    `${metadata.name} ${port} ${hostname}`;
  const byName = new Map<string, Set<TargetNode>>();
  for (const { gatewayClass, gateway, port, hostname } of claims) {
    const key = keyOf(gatewayClass, port, hostname);
    byName.set(key, (byName.get(key) ?? new Set()).add(gateway));
  }
  const rivals = new Map<KubernetesObject, Rivals>();
  for (const { gatewayClass, gateway, port, hostname } of claims) {
    if (rivals.has(gatewayClass)) continue;
    const names = coveringNames(hostname).map((name) => byName.get(keyOf(gatewayClass, port, name)));
    const other = names.flatMap((all) => [...(all ?? [])].slice(0, 2)).find((it) => it !== gateway);
    if (other !== undefined) rivals.set(gatewayClass, { gatewayClass, gateways: [other, gateway], port });
  }
  return [...rivals.values()];
}

function listenersOf(gateway: TargetNode): readonly { readonly port: number; readonly hostname: string }[] {
  const sets = gateway.linksTo.filter(({ ref }) => ref.kind === ListenerSet.kind);
  return [gateway, ...sets].flatMap(({ sections }) =>
    sections.flatMap(({ section }) => {
      const { port, hostname = '*', protocol }: JsonObject = section?.value ?? {};
      return typeof port === 'number' && protocol !== 'UDP' ? [{ port, hostname: String(hostname) }] : [];
    }),
  );
}

/** Returns the hostnames that all hosts of a hostname belong to: `a.b.c`, `*.b.c`, `*.c`, `*`. */
function coveringNames(hostname: string): readonly string[] {
  const labels = hostname.split('.');
  return labels.map((_, index) => (index === 0 ? hostname : ['*', ...labels.slice(index)].join('.'))).concat('*');
}

/** Returns a function that finds objects, and adds missing ones that the input need not have to a list. */
function finderIn({ objects, isComplete }: World, missing: string[]): Parameters<typeof areMerged>[1] {
  return (ref) => {
    const object = objects.find((it) => locatorOf(it, 'Namespaced') === formatLocator(ref));
    if (object === undefined && !isComplete(ref, ref.namespace, ref.name)) missing.push(formatRef(ref));
    return object;
  };
}
