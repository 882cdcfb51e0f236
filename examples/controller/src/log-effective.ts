import type { EffectivePoliciesChange } from '@policy-machinery/controller';
import type { Logger } from '@policy-machinery/observability';

/** Returns the place where a controller configures its data plane. This one logs the settings of each target below each Gateway. */
export function logEffective(log: Logger) {
  return ({ kind, contexts }: EffectivePoliciesChange): void => {
    for (const context of contexts) {
      log.info('effective', { kind: kind.kind, context: context.key, spec: context.policy(kind)?.spec });
    }
  };
}
