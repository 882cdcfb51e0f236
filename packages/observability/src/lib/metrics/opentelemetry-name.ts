import type { InstrumentDefinition } from './instrument.ts';

/** The prefixes of the names of instruments. OpenTelemetry has a dot after each. */
const namespaces = ['controller_runtime', 'leader_election', 'policy_machinery', 'rest_client', 'workqueue'];

/**
 * Returns the name of an instrument in OpenTelemetry: `policy_machinery_apply_seconds` is `policy_machinery.apply`. The suffixes of exporters for
 * Prometheus are left out: the unit, and `_total` of counters.
 */
export function openTelemetryName({ name }: Pick<InstrumentDefinition, 'name'>): string {
  const namespace = namespaces.find((each) => name.startsWith(`${each}_`));
  const short = name.replace(/_(?:seconds|total)$/, '');
  return namespace === undefined ? short : `${namespace}.${short.slice(namespace.length + 1)}`;
}

/** Returns the unit of an instrument; nothing for counts, because exporters would call a gauge with the unit `1` a ratio. */
export function openTelemetryUnit({ name }: Pick<InstrumentDefinition, 'name'>): { readonly unit?: string } {
  return name.endsWith('_seconds') ? { unit: 's' } : {};
}
