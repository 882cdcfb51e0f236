import type { RequestTrace } from '@policy-machinery/gateway-api';
import { stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { WrittenRequest } from '../names/parse-url.ts';

/**
 * Returns the traces that a URL means. The port of the scheme counts where a Gateway has it; elsewhere any port with a listener of the
 * protocol may be meant.
 *
 * @param traces The traces of the request.
 * @param written The URL.
 * @returns Those that are meant.
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
