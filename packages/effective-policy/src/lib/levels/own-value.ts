import { fieldWise } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { type Level, LevelSlot, levelOf } from './level.ts';

/** What an effective target says itself, and what is wrong with it. */
export interface OwnValue<Spec> {
  /** `undefined` where it says nothing, or something that cannot be read. */
  readonly slot: LevelSlot<Spec> | undefined;
  readonly issues: readonly Issue[];
}

/**
 * What effective targets say themselves, each as a level of its own: the most specific default, or an override above all
 * policies, so that origins and losses name the target as they name policies (M-13). Each is read when it is asked for.
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
    const known = this.#known.get(target);
    if (known !== undefined) return known;
    const read = readOwn(target, ownValue, this.#kind);
    this.#known.set(target, read);
    return read;
  }

  /**
   * Forgets what a target says, unless it still says the same.
   *
   * @returns What is forgotten; `undefined` where a target that has been read says the same.
   */
  renew(target: TargetNode): OwnValue<Spec> | undefined {
    const known = this.#known.get(target);
    if (known === undefined) return silence;
    this.#known.delete(target);
    if (!isSame(known, this.of(target))) return known;
    this.#known.set(target, known);
    return undefined;
  }

  /** Forgets what a target says that is gone. */
  forget(target: TargetNode): OwnValue<Spec> {
    const known = this.#known.get(target);
    this.#known.delete(target);
    return known ?? silence;
  }
}

const silence: OwnValue<never> = { slot: undefined, issues: [] };

/** Whether the same is said by the very same resource. */
function isSame<Spec>(a: OwnValue<Spec>, b: OwnValue<Spec>): boolean {
  if (a.slot?.level.resource !== b.slot?.level.resource) return false;
  const textOf = ({ slot, issues }: OwnValue<Spec>) => JSON.stringify([slot?.level.layers[0]?.layer.spec, issues]);
  return textOf(a) === textOf(b);
}

function readOwn<Spec>(
  target: TargetNode,
  ownValue: NonNullable<PolicyKind<Spec>['ownValue']>,
  kind: PolicyKind<Spec>,
): OwnValue<Spec> {
  try {
    const spec = said(ownValue(target));
    return spec === undefined ? silence : { slot: ownSlot(target, spec, kind), issues: [] };
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}; correct the resource`;
    const issue = { code: 'unreadable-resource', severity: 'error', message, resource: target.locator, pointer: '' };
    return { slot: undefined, issues: [issue as Issue] };
  }
}

/** A value as JSON holds it: without fields that are undefined. One without any field says nothing. */
function said<Spec>(value: Spec | undefined): Spec | undefined {
  if (value === undefined) return undefined;
  const spec = JSON.parse(JSON.stringify(value)) as Spec & object;
  return Object.keys(spec).length > 0 ? spec : undefined;
}

/** Whether a level is what a target says itself. */
export function isOwnLevel<Spec>({ policies: [policy], resource }: Level<Spec>): boolean {
  return policy?.resource === resource;
}

function ownSlot<Spec>(target: TargetNode, spec: Spec, kind: PolicyKind<Spec>): LevelSlot<Spec> {
  const { namespace, name } = target.ref;
  const layers: Layer<Spec>[] = [];
  const policy: Policy<Spec> = {
    locator: target.locator,
    name: namespace === undefined ? name : [namespace, name].join('/'), // In one piece: it is compared often.
    resource: target.resource,
    createdAt: undefined,
    layers,
  };
  const stanza = kind.ownValuePrecedence === 'highest' ? 'overrides' : 'defaults';
  layers.push({ policy, stanza, strategy: fieldWise(), spec, pointer: '' });
  return new LevelSlot(levelOf({ target, via: 'targetRef' }, [policy], kind));
}
