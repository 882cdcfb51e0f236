import type { RequestTrace } from '@policy-machinery/gateway-api';
import { stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { WrittenRequest } from '../names/parse-url.ts';

/**
 * Returns the traces that a URL selects: the traces at its port, without one at the default port of the scheme; if none is at this port, the
 * traces of listeners with a protocol of the scheme.
 *
 * @returns The matching traces.
 */
export function tracesMeant(
  traces: readonly RequestTrace[],
  { protocols, usualPort }: WrittenRequest,
): readonly RequestTrace[] {
  if (usualPort === undefined) return traces;
  const usual = traces.filter(({ port }) => port === usualPort);
  return usual.length > 0 ? usual : traces.filter(({ listener }) => protocols.includes(protocolOf(listener)));
}

function protocolOf(listener: TargetNode | undefined): string {
  return stringIn(listener?.section?.value.protocol) ?? '';
}
