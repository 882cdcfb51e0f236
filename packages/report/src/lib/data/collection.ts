import type { EffectiveDelta, EffectivePolicies } from '@policy-machinery/effective-policy';
import type { StaleRows } from '@policy-machinery/effective-policy/inner';
import type { PolicyKind, SecretField } from '@policy-machinery/policy-kind';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { targetsAbove, targetsBelow } from '@policy-machinery/topology/inner';
import { Choices } from './choices.ts';
import { Names } from './names.ts';
import type { Patch } from './patch.ts';
import { PolicyRows } from './policy-rows.ts';
import type { NodeId, ReportData } from './report-data.ts';
import { RequestRows } from './request-rows.ts';
import { patchOfFields } from './rows.ts';
import { ViewRows, writesStanzas } from './view-rows.ts';
import { Ways } from './ways.ts';

/** How many rows were collected, of each sort. */
export interface CollectedCounts {
  readonly targets: number;
  readonly contexts: number;
  readonly below: number;
  readonly policies: number;
  readonly rules: number;
}

/** Returns the fields of a kind with values that must not be shown; `undefined` if their names decide. */
export type SecretsOf = (kind: PolicyKind<unknown>) => readonly SecretField[] | undefined;

const marked: SecretsOf = ({ secrets }) => secrets;

/** The parts of the data that follow a topology. */
export type FollowingData = Pick<
  ReportData,
  'texts' | 'targets' | 'links' | 'policies' | 'views' | 'ways' | 'requests'
>;

/** The collected data about a topology and its effective policies: everything at first, then the changes. */
export class Collection {
  readonly names: Names;
  readonly #topology: Topology;
  readonly #ways: Ways;
  readonly #kinds: readonly { readonly view: ViewRows; readonly choices: Choices }[];
  readonly #policies: PolicyRows;
  readonly #requests: RequestRows;
  #counts: CollectedCounts;

  /**
   * Collects everything. O(contexts, and for each target those below it).
   *
   * @param secretsOf Returns the fields of a kind with values that must not be shown. Default: those that the kind marks.
   */
  constructor(topology: Topology, views: readonly EffectivePolicies<unknown>[], secretsOf: SecretsOf = marked) {
    this.#topology = topology;
    this.names = new Names(topology);
    this.#ways = new Ways(this.names);
    this.#kinds = views.map((effective) => {
      const view = new ViewRows(effective, this.names, this.#ways, secretsOf(effective.kind));
      return { view, choices: new Choices(view, this.names) };
    });
    this.#policies = new PolicyRows(topology, views, this.names);
    const choices = this.#kinds.map((kind) => kind.choices);
    this.#requests = new RequestRows(topology, this.names, choices);
    const targets = [...topology.targets];
    const policies = new Set(topology.policies().map(({ locator }) => locator));
    this.names.setTargets(targets);
    for (const locator of policies) this.names.policyId(locator);
    this.#requests.setGateways(() => true);
    for (const { view } of this.#kinds) {
      for (const target of view.effective.targets) view.setContexts(target);
      view.setBelow(targets, this.#isRoute);
    }
    const rules = this.#requests.setChoices();
    this.#reach();
    this.#policies.set(policies);
    const contextCount = targets.length * views.length;
    this.#counts = {
      targets: targets.length,
      contexts: contextCount,
      below: contextCount,
      policies: policies.size,
      rules,
    };
  }

  /** Returns whether a target is a route at a listener, or a rule of one. */
  readonly #isRoute = (id: NodeId): boolean =>
    this.#requests.atListeners.has(this.names.locatorOf(this.names.objectOf(id)));

  /** How much there is in lists that only grow: with time, most of it is from before changes. */
  get weight(): number {
    const kinds = this.#kinds.map(({ view, choices }) => view.weight + choices.weight);
    return [...kinds, this.names.weight, this.#ways.weight, this.#requests.weight].reduce((sum, it) => sum + it, 0);
  }

  get counts(): CollectedCounts {
    return this.#counts;
  }

  /** Whether the collected data can be brought up to date: the texts of all layers depend on whether any policy writes defaults or overrides. */
  get isUsable(): boolean {
    return this.#kinds.every(({ view }) => writesStanzas(view.effective) === view.stanzas);
  }

  /** Collects the changes. O(changes, and targets below and above them). */
  update(effective: readonly EffectiveDelta[], { gone, targets, rerouted, policies }: StaleRows): void {
    const topology = this.#topology;
    const moved = [...rerouted].filter((target) => topology.get(target) === target);
    for (const { view } of this.#kinds) view.startOver();
    for (const locator of gone) this.#forget(this.names.removeTarget(locator));
    this.names.setTargets([...targets]);
    for (const locator of policies) this.names.policyId(locator);

    const reread = targetsAbove([...targets, ...moved]);
    const movedRoutes = this.#requests.setGateways((gateway) => reread.has(gateway));
    const routes = [...movedRoutes].flatMap((locator) => topology.get(locator) ?? []);
    const withRules = routes.flatMap((route) => [route, ...route.sections]);
    const chosen = new Set<TargetNode>(moved);
    let [contexts, under] = [0, 0];
    for (const [index, { view, choices }] of this.#kinds.entries()) {
      const affected = effective[index]?.targets.flatMap((locator) => topology.get(locator) ?? []) ?? [];
      const some = new Set([...moved, ...affected]);
      for (const target of some) if (view.setContexts(target)) chosen.add(target);
      under += view.setBelow([...some, ...targets, ...withRules], this.#isRoute);
      for (const rule of withRules) choices.remove(this.names.node(rule));
      contexts += some.size;
    }
    const rules = new Set([...targetsAbove([...chosen, ...targets]), ...targetsBelow(chosen), ...withRules]);
    const count = this.#requests.setChoices(rules);
    this.#reach();
    this.#policies.set(policies);
    this.#counts = { targets: targets.size, contexts, below: under, policies: policies.size, rules: count };
  }

  #reach(): void {
    const { length } = this.names.targets.values;
    for (const { view, choices } of this.#kinds) {
      view.reach(length);
      choices.reach(length);
    }
  }

  #forget(id: NodeId): void {
    for (const { view, choices } of this.#kinds) {
      view.remove(id);
      choices.remove(id);
    }
  }

  /** The current data, until something is collected again. */
  get data(): FollowingData {
    return {
      targets: this.names.targets.values,
      links: this.names.links.values,
      policies: this.#policies.rows.values,
      views: this.#kinds.map(({ view, choices }) => ({ ...view.rows, ...choices.rows })),
      ways: this.#ways.rows,
      requests: this.#requests.rows,
      texts: this.names.texts.values,
    };
  }

  /** Returns the changes of the data after the last call, by table. */
  take(): Readonly<Record<string, Patch | undefined>> {
    const views = this.#kinds.flatMap(({ view, choices }, place) => {
      const change = patchOfFields({ ...view.take(), ...choices.take() });
      return change === undefined ? [] : [[place, change] as const];
    });
    return {
      targets: this.names.targets.take(),
      links: this.names.links.take(),
      policies: this.#policies.rows.take(),
      views: views.length === 0 ? undefined : { length: this.#kinds.length, places: views },
      ways: this.#ways.take(),
      requests: this.#requests.take(),
      texts: this.names.texts.take(),
    };
  }
}
