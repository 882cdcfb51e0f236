import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { type ConfigurationUnit, contextsOf, type TargetContext, targetIn } from '../effective/target-context.ts';
import { allOf, ourGateways } from '../gateways/our-gateways.ts';
import type { ObjectReader } from '../watches/watch.ts';
import type { ConfiguredKind } from './configured-kind.ts';

export interface ViewsContext
  extends Pick<
    PolicyControllerOptions<readonly ConfiguredKind[]>,
    'policyKinds' | 'gatewaysOf' | 'gateways' | 'effective' | 'unit'
  > {
  readonly topology: Topology;
  readonly readerFor: (policy: Policy<unknown>) => ObjectReader;
  /** Called when users ask for verdicts again. */
  readonly onReconsider: () => void;
}

/** The effective policies of a controller's kinds. */
export class Views {
  /** One for each policy kind, in the order of the options. */
  readonly all: readonly EffectivePolicies<unknown>[];
  readonly #unit: ConfigurationUnit;
  /** Whether a round asks for verdicts again, so that no other round is needed. */
  #isInRound = false;

  constructor(context: ViewsContext) {
    const { policyKinds, gatewaysOf, gateways = 'ours', effective, topology, unit = 'ancestor' } = context;
    this.#unit = unit;
    const ours = gatewaysOf === undefined || gateways === 'all' ? undefined : ourGateways(gatewaysOf);
    const onReconsider = () => {
      if (!this.#isInRound) context.onReconsider();
    };
    this.all = policyKinds.map(({ policyKind, options: { verdict, definition: _definition, ...options } }) => {
      const both = allOf(ours, options.ours ?? effective?.ours);
      return effectivePolicies(topology, policyKind, {
        ...effective,
        ...options,
        ...(both && { ours: both }),
        ...(verdict && { verdict: (policy) => verdict(policy, context.readerFor(policy)) }),
        onReconsider,
      });
    });
  }

  /**
   * Returns the effective policies of a kind.
   *
   * @throws {PolicyMachineryError} `unknown-kind`, if the controller does not have the kind.
   */
  of<Spec>(kind: PolicyKind<Spec>): EffectivePolicies<Spec> {
    const view = this.all.find((it) => Object.is(it.kind, kind));
    if (view !== undefined) return view as EffectivePolicies<Spec>;
    const message = `${kind.kind} is not among the policyKinds of this controller; add it`;
    throw new PolicyMachineryError('unknown-kind', message);
  }

  /** Returns the contexts of a target, in the order of their data planes. O(contexts of the target). */
  contextsOf(target: string): readonly TargetContext[] {
    return contextsOf(target, this, this.#unit);
  }

  /** Returns whether some effective policy applies to a context, by its key. */
  isInUse(context: string): boolean {
    const target = targetIn(context);
    if (context === target) return this.all.some((view) => view.of(target).length > 0);
    return this.contextsOf(target).some(({ key }) => key === context);
  }

  /** Asks for the verdicts on some policies again, by locator, or on all: in a round, which sees the answers. */
  reconsider(policies: readonly string[] | 'all'): void {
    if (policies.length === 0) return;
    this.#isInRound = true;
    try {
      for (const view of this.all) {
        const ofView = policies === 'all' ? undefined : policies.filter((it) => view.policy(it) !== undefined);
        if (ofView?.length !== 0) view.reconsider(ofView);
      }
    } finally {
      this.#isInRound = false;
    }
  }
}
