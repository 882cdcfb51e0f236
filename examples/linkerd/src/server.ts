import { Pod } from '@policy-machinery/gateway-api';
import { isJsonObject, type LabelSelector, specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';

/** A port of Pods in its namespace. */
export const Server = defineTargetKind({
  group: 'policy.linkerd.io',
  kind: 'Server',
  versions: ['v1beta3', 'v1beta2', 'v1beta1'],
  mayReferTo: ({ group, kind }, direction) => direction === 'down' && group === Pod.group && kind === Pod.kind,
  *references(server) {
    const { podSelector } = specOf(server);
    if (!isJsonObject(podSelector)) return;
    const { group, kind } = Pod;
    const selector: LabelSelector = podSelector;
    const to = { group, kind, ...selector, namespaces: { from: 'Same' } } as const;
    yield { direction: 'down', to, pointer: '/spec/podSelector' };
  },
});
