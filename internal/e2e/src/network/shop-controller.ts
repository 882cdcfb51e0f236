import type { Transport } from '@policy-machinery/cluster';
import {
  createPolicyController,
  type PolicyController,
  type PolicyControllerOptions,
} from '@policy-machinery/controller';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { namespace, TimeoutPolicy } from '../shop.ts';

/** The name of the controller. */
export const controllerName = 'timeouts.example.com/controller';

/** A line of a log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A controller of the shop, in this process. */
export interface ShopController {
  readonly controller: PolicyController;
  /** The log, without what happens all the time. */
  readonly log: readonly LogLine[];
  /** Each answer to whether this process leads. */
  readonly leading: readonly boolean[];
  /** Stops the controller, and waits until it has stopped. */
  stop(): Promise<void>;
}

/** The options by which a controller owns a ConfigMap for each target, with its effective request timeout. */
export const ownsConfigMaps = {
  owns: [{ group: '', kind: 'ConfigMap' }],
  onEffective({ view, targets, apply }) {
    for (const target of targets) {
      for (const { spec, target: node } of view.of(target)) {
        const metadata = { namespace, name: node.ref.name };
        apply(target, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { spec: JSON.stringify(spec) } }]);
      }
    }
  },
} satisfies Partial<PolicyControllerOptions>;

/** Starts a controller of the shop. */
export function startShopController(
  connection: Transport,
  options: Partial<PolicyControllerOptions> = {},
): ShopController {
  const log: LogLine[] = [];
  const leading: boolean[] = [];
  const add =
    (level: LogLine['level']) =>
    (message: string, fields: LogLine['fields'] = {}) =>
      void log.push({ level, message, fields });
  const controller = createPolicyController({
    name: controllerName,
    connection,
    targetKinds: gatewayApi(),
    policyKinds: [TimeoutPolicy],
    onLeading: (isLeader) => void leading.push(isLeader),
    log: { debug() {}, info: add('info'), warn: add('warn'), error: add('error') },
    ...options,
  });
  const stopping = new AbortController();
  const running = controller.run({ signal: stopping.signal });
  return {
    controller,
    log,
    leading,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns the lines of a log that blame another client for a change. */
export function blamesIn(log: readonly LogLine[]): readonly LogLine[] {
  return log.filter(({ level, message }) => level !== 'info' && message.includes('another client'));
}
