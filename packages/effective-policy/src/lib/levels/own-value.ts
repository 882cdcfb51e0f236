import { omitFields, trace } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { formatPointer, type Issue, objectIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { type Level, LevelSlot, levelOf } from './level.ts';

/** The own value of an effective target, with its issues. */
export interface OwnValue<Spec> {
  /** The level of the value; `undefined` if a value is absent or cannot be read. */
  readonly slot: LevelSlot<Spec> | undefined;
  readonly issues: readonly Issue[];
}

/**
 * The own values of effective targets, each as a level: the most specific default, or an override above all policies, so that origins and
 * losses name the target like a policy. Values are read on demand.
 */
export class OwnValues<Spec> {
  readonly #kind: PolicyKind<Spec>;
  readonly #known = new Map<TargetNode, OwnValue<Spec>>();

  constructor(kind: PolicyKind<Spec>) {
    this.#kind = kind;
  }

  of(target: TargetNode): OwnValue<Spec> {
    const { ownValue } = this.#kind;
    if (ownValue === undefined) return silence;
    const knownValue = this.#known.get(target);
    if (knownValue !== undefined) return knownValue;
    const read = readOwn(target, ownValue, this.#kind);
    this.#known.set(target, read);
    return read;
  }

  /**
   * Forgets the own value of a target, unless the value is the same as before.
   *
   * @returns The forgotten value; `undefined` if the value is the same.
   */
  renew(target: TargetNode): OwnValue<Spec> | undefined {
    const knownValue = this.#known.get(target);
    if (knownValue === undefined) return silence;
    this.#known.delete(target);
    if (!isSame(knownValue, this.of(target))) return knownValue;
    this.#known.set(target, knownValue);
    return undefined;
  }

  forget(target: TargetNode): OwnValue<Spec> {
    const knownValue = this.#known.get(target);
    this.#known.delete(target);
    return knownValue ?? silence;
  }
}

const silence: OwnValue<never> = { slot: undefined, issues: [] };

function isSame<Spec>(a: OwnValue<Spec>, b: OwnValue<Spec>): boolean {
  if (a.slot?.level.resource !== b.slot?.level.resource) return false;
  const specsOf = (level: Level<Spec> | undefined) => level?.layers.map(({ layer }) => layer.spec);
  const textOf = ({ slot, issues }: OwnValue<Spec>) =>
    JSON.stringify([specsOf(slot?.level), specsOf(slot?.level.undecided), issues]);
  return textOf(a) === textOf(b);
}

function readOwn<Spec>(
  target: TargetNode,
  ownValue: NonNullable<PolicyKind<Spec>['ownValue']>,
  kind: PolicyKind<Spec>,
): OwnValue<Spec> {
  try {
    const spec = withoutUndefined(ownValue(target));
    const undecided = withoutUndefined(kind.undecidedOwnValue?.(target));
    if (spec === undefined && undecided === undefined) return silence;
    const level = ownLevel(target, spec, kind);
    return {
      slot: new LevelSlot(undecided === undefined ? level : { ...level, undecided: ownLevel(target, undecided, kind) }),
      issues: [],
    };
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}; correct the resource`;
    const issue = { code: 'unreadable-resource', severity: 'error', message, resource: target.locator, pointer: '' };
    return { slot: undefined, issues: [issue as Issue] };
  }
}

/** Returns a value without undefined fields, as JSON has it; `undefined` if no field is left. */
function withoutUndefined<Spec>(value: Spec | undefined): Spec | undefined {
  if (value === undefined) return undefined;
  const spec = JSON.parse(JSON.stringify(value)) as Spec & object;
  return Object.keys(spec).length > 0 ? spec : undefined;
}

/** Returns the level of an own value; without layers if the value is absent. */
function ownLevel<Spec>(target: TargetNode, spec: Spec | undefined, kind: PolicyKind<Spec>): Level<Spec> {
  const { namespace, name } = target.ref;
  const layers: Layer<Spec>[] = [];
  const policy: Policy<Spec> = {
    locator: target.locator,
    name: namespace === undefined ? name : [namespace, name].join('/'), // A flat string: it is compared often.
    resource: target.resource,
    createdAt: undefined,
    layers,
  };
  const { ownValuePrecedence, ownValueStrategy: strategy, yieldingOwnFields } = kind;
  if (ownValuePrecedence === 'most-specific') {
    if (spec !== undefined) layers.push({ policy, stanza: 'defaults', strategy, spec, pointer: '' });
  } else {
    const traced = trace(objectIn(spec), undefined);
    const prevailing = omitFields(traced, ...yieldingOwnFields).value;
    const yielding = omitFields(traced, ...Object.keys(prevailing).map((field) => formatPointer([field]))).value;
    for (const [stanza, part] of [
      ['defaults', yielding],
      ['overrides', prevailing],
    ] as const) {
      if (Object.keys(part).length > 0) layers.push({ policy, stanza, strategy, spec: part as Spec, pointer: '' });
    }
  }
  return levelOf({ target, via: 'targetRef' }, [policy], kind);
}
