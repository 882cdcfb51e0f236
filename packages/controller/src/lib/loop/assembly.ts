import type { WatchedKind } from '@policy-machinery/cluster';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { Views } from '../kinds/views.ts';
import { Quarantine } from '../sources/quarantine.ts';
import { watchedKinds } from '../watches/watched-kinds.ts';
import { Watches } from '../watches/watches.ts';
import { Rounds } from './rounds.ts';
import type { ControllerSettings } from './settings.ts';

/** A controller, put together: empty and idle until a run reads objects and starts the rounds. */
export interface Assembly {
  readonly topology: Topology;
  readonly kinds: readonly WatchedKind[];
  readonly watches: Watches;
  readonly views: Views;
  readonly quarantine: Quarantine;
  readonly rounds: Rounds;
}

/**
 * Puts a controller together.
 *
 * @throws {PolicyMachineryError} Errors of `createTopology` and `watchedKinds`.
 */
export function assemble(settings: ControllerSettings): Assembly {
  const { targetKinds, policyKinds, reporter, clock } = settings;
  const topology = createTopology({ targetKinds, policyKinds: policyKinds.map(({ policyKind }) => policyKind) });
  const kinds = watchedKinds(topology, settings);
  const failedWatch = 'a function of watches failed; the verdicts on all policies are asked for again';
  const watches = new Watches({
    watches: settings.watches ?? [],
    others: kinds,
    onFailure: (locator, error) => reporter.failedFor(locator, failedWatch, error),
  });
  const rounds = new Rounds({ clock, onFailure: (error, retryIn) => reporter.failed(error, retryIn) });
  const views = new Views({
    ...settings,
    topology,
    readerFor: (policy) => watches.readerFor(policy),
    onReconsider: () => rounds.runSoon(),
  });
  const quarantine = new Quarantine((added) => reporter.quarantined(added));
  return { topology, kinds, watches, views, quarantine, rounds };
}
