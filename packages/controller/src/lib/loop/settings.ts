import type { Clock } from '@policy-machinery/cluster';
import type { PolicyControllerOptions } from '../controller-options.ts';
import type { ConfiguredKind } from '../kinds/configured-kind.ts';
import type { Telemetry } from '../metrics/telemetry.ts';
import type { Reporter } from './reporter.ts';

/** The options of a controller with all defaults. */
export interface ControllerSettings extends PolicyControllerOptions<readonly ConfiguredKind[]> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly drain: number;
  readonly reporter: Reporter;
  readonly telemetry: Telemetry;
}
