import type { CustomResourceDefinitionOptions } from '@policy-machinery/crd';
import type { EffectivePoliciesOptions, Verdict } from '@policy-machinery/effective-policy';
import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { ObjectReader } from '../watches/watch.ts';

/** The options of the effective policies of one kind in a controller. */
export interface KindOptions<Spec = unknown>
  extends Pick<
    EffectivePoliciesOptions,
    'maxContexts' | 'maxPolicies' | 'maxFields' | 'trafficFrom' | 'ours' | 'only'
  > {
  /**
   * Returns your verdict on a valid policy that you cannot put in force, for example because its Secret does not exist; `undefined` for all
   * others. A policy with a verdict sets no field, another policy wins, and its status reports the verdict. Called once for each version of a
   * policy, again when something changes that it has read by `objects`, and after `controller.effective(kind).reconsider()`.
   * Default: no verdicts.
   */
  verdict?(policy: Policy<Spec>, objects: ObjectReader): Verdict | readonly Verdict[] | undefined;
  /**
   * The options that you generate the CustomResourceDefinition of the kind with. The controller warns if the installed one is another. Default: none.
   */
  readonly definition?: CustomResourceDefinitionOptions | undefined;
}

/** A policy kind with options. Made with {@link configured}. */
export interface ConfiguredKind<Spec = unknown> {
  readonly policyKind: PolicyKind<Spec>;
  readonly options: KindOptions<Spec>;
}

/** A policy kind, with options or without. */
export type ControlledKind = PolicyKind<unknown> | ConfiguredKind;

/** The spec of a kind; of several kinds, the spec of any of them. */
export type SpecOf<Kind extends ControlledKind> =
  Kind extends PolicyKind<infer Spec> ? Spec : Kind extends ConfiguredKind<infer Spec> ? Spec : never;

/**
 * Gives a policy kind of a controller separate options: a verdict, limits, or the objects that count. The verdict has the type of the kind's spec.
 *
 * @returns An entry of `policyKinds`.
 * @example
 * ```ts
 * const policyKinds = [TimeoutPolicy, configured(TlsPolicy, { maxPolicies: 4 })];
 * const controller = createPolicyController({ name: 'timeouts.example.com/controller', connection, targetKinds: gatewayApi(), policyKinds });
 * ```
 */
export function configured<Spec>(
  policyKind: PolicyKind<Spec>,
  options: KindOptions<NoInfer<Spec>>,
): ConfiguredKind<Spec> {
  return { policyKind, options };
}

/** Returns a policy kind with its options. */
export function configuredKindOf(kind: ControlledKind): ConfiguredKind {
  return 'policyKind' in kind ? kind : { policyKind: kind, options: {} };
}
