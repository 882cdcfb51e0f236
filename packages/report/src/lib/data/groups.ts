import {
  type ContextLayer,
  describeLoss,
  type EffectiveField,
  type EffectivePolicy,
} from '@policy-machinery/effective-policy';
import { maskSecrets, type SecretField } from '@policy-machinery/policy-kind';
import type { JsonValue } from '@policy-machinery/resource';
import { formatValue } from '@policy-machinery/text/inner';
import { formatTarget } from '@policy-machinery/topology';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { Patch } from './patch.ts';
import type { FieldRow, GroupRow, LayerRow, LossRow, ShareRow, ViewData } from './report-data.ts';

/** The length of the longest value that is shown unabridged, in characters. */
const longest = 4_000;

const stanzaNames = { defaults: 'default', overrides: 'override' } as const;

/** The effective policies in the contexts of one view. Contexts with equal effective policies share one group. */
export class Groups {
  /** The groups, by their list of shares, which contexts that are merged alike have in common. */
  readonly #known = new WeakMap<object, number>();
  readonly #groups = internedLists<GroupRow>();
  readonly #layers = internedLists<LayerRow>();
  readonly #losses = internedLists<LossRow>();
  readonly #fields = internedLists<FieldRow>();
  readonly #shares = internedLists<ShareRow>();
  readonly #names: Names;
  readonly #stanzas: boolean;
  readonly #secrets: readonly SecretField[] | undefined;

  /**
   * @param stanzas Whether policies of the kind write defaults and overrides.
   * @param secrets The fields of the kind with values that must not be shown. Default: their names decide.
   */
  constructor(names: Names, stanzas: boolean, secrets: readonly SecretField[] | undefined) {
    this.#secrets = secrets;
    this.#names = names;
    this.#stanzas = stanzas;
  }

  /** Returns the number of the group of a context. Contexts that are merged alike are merged once for the page. */
  of(effective: EffectivePolicy<unknown>): number {
    const { shares } = effective;
    const existingGroup = this.#known.get(shares);
    if (existingGroup !== undefined) return existingGroup;
    const group = this.#groups.place(this.#groupRow(effective));
    this.#known.set(shares, group);
    return group;
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    const lists = [this.#groups, this.#layers, this.#losses, this.#fields, this.#shares];
    return lists.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The rows of the groups and of their parts. */
  get rows(): Pick<ViewData, 'groups' | 'layers' | 'losses' | 'fields' | 'shares'> {
    return {
      groups: this.#groups.values,
      layers: this.#layers.values,
      losses: this.#losses.values,
      fields: this.#fields.values,
      shares: this.#shares.values,
    };
  }

  /** Returns the changes after the last call, by table. */
  take(): Readonly<Record<string, Patch | undefined>> {
    return {
      groups: this.#groups.take(),
      layers: this.#layers.take(),
      losses: this.#losses.take(),
      fields: this.#fields.take(),
      shares: this.#shares.take(),
    };
  }

  #groupRow(effective: EffectivePolicy<unknown>): GroupRow {
    const fields = effective.fields.map((field) => this.#fields.place(this.#fieldRow(field)));
    const shares = effective.shares.map(({ policy, outcome, issues }) => {
      const faults = issues.map(({ pointer = '', message }) => this.#names.text(`${pointer} ${message}`.trim()));
      return this.#shares.place([this.#names.policy(policy), this.#names.text(outcome), ...faults]);
    });
    return [fields, shares];
  }

  #fieldRow({ pointer, value, by, over }: EffectiveField<unknown>): FieldRow {
    const losses = over.map((loss) => {
      const why = this.#names.text(describeLoss(loss, { stanzas: this.#stanzas }));
      return this.#losses.place([this.#valueOf(loss.value, pointer), this.#layerOf(loss.layer), why]);
    });
    const layers = by.map((layer) => this.#layerOf(layer));
    return [this.#names.text(pointer), this.#valueOf(value, pointer), layers, [...new Set(losses)]];
  }

  #layerOf({ policy, level: { target, via, resource }, stanza }: ContextLayer<unknown>): number {
    const names = this.#names;
    if (policy.resource === resource) return this.#layers.place([-1, names.node(target), names.text('set by itself')]);
    const where = `${via === 'policyRef' ? 'named by' : 'on'} ${formatTarget(target)}`;
    const how = this.#stanzas ? `${stanzaNames[stanza]} ${where}` : where;
    return this.#layers.place([names.policy(policy), names.node(target), names.text(how)]);
  }

  #valueOf(value: JsonValue | undefined, pointer: string): number {
    return value === undefined ? -1 : this.#names.text(textOf(maskSecrets(value, pointer, this.#secrets)));
  }
}

function textOf(value: JsonValue): string {
  const text = formatValue(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
