import { byAge, byName, type ConflictOrder, conflictOrder, type SameLevel } from '@policy-machinery/conflict';
import { fieldWise, none, type Origins, type TwoSidedStrategy } from '@policy-machinery/merge';
import {
  type GroupKind,
  groupKindKey,
  type Issue,
  type JsonObject,
  type KubernetesObject,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import {
  type AttachableKind,
  isSectionKind,
  type Targetable,
  type TargetKind,
  type TargetNode,
} from '@policy-machinery/topology';
import { describeTargetable } from '@policy-machinery/topology/inner';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { PolicyReading } from '../policies/policy.ts';
import { readPolicy } from '../policies/read-policy.ts';
import { promised, runSchema } from '../policies/run-schema.ts';
import { type SpecFault, schemaFaults } from '../policies/schema-faults.ts';
import { isAdditive } from '../stanzas/additive-spec.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import type { StrategyChoice } from '../stanzas/strategy-choice.ts';
import { checkConcerns } from './check-concerns.ts';
import { checkMergedFields } from './check-merged-fields.ts';
import type { ConcernField } from './concern-field.ts';
import { DeclaredFields } from './declared-fields.ts';
import { checkKindNames } from './kind-names.ts';
import type { EffectiveSpec, FieldsAt, Fold, OrderedPolicy } from './merging-options.ts';
import { checkVersions, type OtherVersion } from './other-version.ts';
import type { AnyPolicyKindDefinition, PolicyKindDefinition } from './policy-kind-definition.ts';
import { checkSecrets, effectiveSecrets, type SecretField } from './secret-field.ts';
import type { AncestorEntries } from './status-options.ts';
import { byEstablished, type StrategyChooser } from './strategy-chooser.ts';
import { refuseTakenFields } from './taken-fields.ts';
import { attachmentOf, limitsOf, targetFieldsOf } from './target-reading.ts';
import { refuseWhatCannotMeet } from './what-can-meet.ts';

/** A policy kind: how to attach its policies in a topology, and how to read and merge them. */
export interface PolicyKind<Spec> extends AttachableKind {
  readonly version: string;
  readonly plural: string;
  /** The `version`, then the further ones. */
  readonly versions: readonly string[];
  readonly otherVersions: readonly OtherVersion[];
  readonly storedVersion: string;
  readonly effectiveTargets: readonly Targetable[];
  /**
   * The class of the kind in GEP-713, the value of its policy label: whether a policy affects only the object that it targets,
   * with the object's sections (`Direct`), or also the objects below (`Inherited`).
   */
  readonly policyClass: 'Direct' | 'Inherited';
  /** The fields of specs that name targets; none for kinds with their own reader. */
  readonly targetFields: readonly string[];
  /** The maximal number of entries in lists among these fields; `Infinity` for none. */
  readonly maxTargets: number;
  /** The maximal number of selectors; `Infinity` for none. */
  readonly maxSelectors: number;
  /** Other spellings of the core group in these fields. */
  readonly coreGroupSpellings: readonly string[];
  /** The schema of the spec proper, as policies have it. */
  readonly schema: StandardSchemaV1;
  readonly stanzas: StanzaReader;
  readonly sameLevel: SameLevel;
  /** The targets that the oldest policy alone counts at. */
  readonly singleAt: readonly Targetable[];
  /** Why two policies of one level are in conflict, in the system's words; `undefined` if GEP-713's are enough. */
  readonly conflictReason?: string;
  /** The fields that several policies of one level may set without a conflict, by JSON Pointer. */
  readonly sharedFields: readonly string[];
  /** Other objects that can attach policies and are not read; `undefined` if none can. */
  readonly unreadAttachment?: string;
  /** The order of the policies of one level, established first. */
  readonly order: ConflictOrder<OrderedPolicy>;
  readonly fold: Fold;
  readonly strategyChooser: StrategyChooser;
  readonly withinObject: StrategyChoice | undefined;
  readonly emptyChallenger: 'wins' | 'yields';
  /** Whether a spec with fields counts as empty. */
  readonly isEmpty: (spec: JsonObject) => boolean;
  readonly namespaceLevels: readonly TargetKind[] | undefined;
  readonly ancestors: readonly GroupKind[];
  readonly ancestorEntries: AncestorEntries;
  /** Returns the value that a target sets itself; `undefined` if it sets nothing. */
  readonly ownValue?: (target: TargetNode) => Spec | undefined;
  /** Returns that value with its undecided fields. */
  readonly undecidedOwnValue?: (target: TargetNode) => Spec | undefined;
  readonly ownValuePrecedence: 'most-specific' | 'highest';
  /** The fields of that value that yield to policies on the object of the target. */
  readonly yieldingOwnFields: readonly string[];
  /** The kinds of targets above effective targets that set values themselves. */
  readonly ownValueTargets: readonly Targetable[];
  /** The effective targets where only some fields count. */
  readonly fieldsAt?: readonly FieldsAt[];
  /** How that value is merged with the policies. */
  readonly ownValueStrategy: TwoSidedStrategy;
  /**
   * Returns the faults of a spec that several policies were merged to, by the schema of one policy, given the origins of its fields. Must be
   * pure, and never throws. `undefined` for kinds with effective specs that are not specs of a policy.
   */
  readonly check?: (effective: JsonObject, origins: Origins<unknown>) => readonly SpecFault[];
  /** The fields that serve concerns of requests; `undefined` if they are not known. */
  readonly concerns?: readonly ConcernField[];
  /** The fields with values that must not be shown; `undefined` if none are marked, so that names decide. */
  readonly secrets?: readonly SecretField[];
  /**
   * Warnings about the declaration, such as `required-field` and `unused-default`: fields that the strategies of the kind merge one by one, although each
   * policy must set them, or although they have a default. A controller logs them when it starts.
   */
  readonly issues: readonly Issue[];
  /** Reads and validates a policy of this kind. Never throws because of the content of the policy. O(size of the policy). */
  readonly read: (resource: KubernetesObject) => PolicyReading<Spec>;
}

/**
 * Declares a policy kind. Its specs have the type of the schema's input; effective specs of an additive kind are maps of such specs.
 *
 * @param definition Group, version and kind, targets, schema, and how its policies are merged.
 * @returns The policy kind, for `createTopology` and `effectivePolicies`.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if no API server accepts the group, version, kind or plural, if there is not a target, or one
 * that is not a kind, if `maxTargets` is not a positive integer, if None is combined with other strategies, if a direct kind would affect objects
 * that its policies cannot target, if it has a concern that does not exist, if the schema has a field that the stanza reader takes, if a strategy has
 * a rule for a field that the schema does not have, or if a profile is spread without being called.
 * @throws {TypeError} If the schema returns a promise for an empty spec.
 * @example
 * ```ts
 * const TimeoutPolicy = definePolicyKind({
 *   group: 'policies.example.com',
 *   version: 'v1',
 *   kind: 'TimeoutPolicy',
 *   targets: [Gateway, HTTPRoute],
 *   effectiveTargets: [HTTPRoute.sections.rule],
 *   spec: z.object({ request: z.string().optional() }),
 *   stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
 * });
 * ```
 */
export function definePolicyKind<
  Schema extends StandardSchemaV1,
  Reader extends StanzaReader<NoInfer<StandardSchemaV1.InferInput<Schema>>> = StanzaReader,
>(
  definition: PolicyKindDefinition<Schema, Reader>,
): PolicyKind<EffectiveSpec<Reader, StandardSchemaV1.InferInput<Schema>>>;
export function definePolicyKind(definition: AnyPolicyKindDefinition): PolicyKind<unknown> {
  const { group, version, kind, plural = pluralOf(kind), scope = 'Namespaced', targets } = definition;
  const { effectiveTargets = targets, spec: schema, stored } = definition;
  refuseUncalledProfile(definition);
  const { otherVersions = [] } = definition;
  const versions = [version, ...otherVersions.map((it) => it.version)];
  for (const each of versions) checkKindNames({ group, version: each, kind, plural });
  checkDefinition(definition);
  const { policyClass = kindsOf([...targets, ...effectiveTargets]).size === 1 ? 'Direct' : 'Inherited' } = definition;
  const isDirect = policyClass === 'Direct';
  if (isDirect) refuseWhatIsBelow(kind, targets, effectiveTargets);
  const stanzas = definition.stanzas ?? bareSpec(isDirect ? { strategies: { none } } : {});
  checkStrategies(definition, stanzas);
  const versioned = { group, version, scope, otherVersions };
  const reader = readBy(stanzas, stored);
  return {
    ...mergingOf(definition, stanzas),
    ...attachmentOf(definition),
    ...limitsOf(definition),
    ...optionsIn(definition, stanzas),
    group,
    version,
    kind,
    plural,
    versions,
    otherVersions,
    storedVersion: definition.storedVersion ?? version,
    scope,
    targets,
    effectiveTargets,
    policyClass,
    targetFields: targetFieldsOf(definition),
    schema,
    stanzas,
    namespaceLevels: definition.namespaceLevels,
    ancestors: definition.ancestors ?? [{ group: 'gateway.networking.k8s.io', kind: 'Gateway' }],
    ancestorEntries: { naming: 'objects', reach: 'all', ...definition.ancestorEntries },
    ...valuesOf(definition),
    ...(isAdditive(stanzas) || stanzas.mergedSchema !== undefined ? {} : { check: checkBy(schema) }),
    issues: checkSchema(definition, stanzas),
    read: (resource) => readPolicy(resource, versioned, reader, schema, definition.faults),
  };
}

/** Returns the options about values of targets that a definition has. */
function valuesOf<Value>({
  ownValue,
  undecidedOwnValue,
  fieldsAt,
}: {
  readonly ownValue?: Value | undefined;
  readonly undecidedOwnValue?: Value | undefined;
  readonly fieldsAt?: readonly FieldsAt[] | undefined;
}) {
  return {
    ...(ownValue === undefined ? {} : { ownValue }),
    ...(undecidedOwnValue === undefined ? {} : { undecidedOwnValue }),
    ...(fieldsAt === undefined ? {} : { fieldsAt }),
  };
}

/** Refuses versions, targets, concerns, secrets and a schema that cannot be used. */
function checkDefinition(definition: AnyPolicyKindDefinition): void {
  const { kind, targets, effectiveTargets = targets, concerns, secrets, spec } = definition;
  checkVersions(definition);
  checkTargets(kind, targets);
  checkTargets(kind, effectiveTargets);
  checkConcerns(kind, concerns);
  checkSecrets(secrets);
  if (runSchema(spec, {}).failure !== promised) return;
  throw new TypeError(`The schema of ${kind} cannot be used: ${promised}`);
}

/** Refuses strategies that cannot meet, of the stanzas and of all choices. */
function checkStrategies(definition: AnyPolicyKindDefinition, { strategies }: StanzaReader): void {
  const { withinObject, strategyChooser } = definition;
  const chosen = [...(withinObject === undefined ? [] : [withinObject]), ...(strategyChooser?.choices ?? [])];
  refuseWhatCannotMeet(definition, [...Object.values(strategies), ...chosen.map(({ strategy }) => strategy)], chosen);
}

/** Checks that the schema suits the reader and its strategies. Returns warnings. */
function checkSchema({ kind, spec }: AnyPolicyKindDefinition, stanzas: StanzaReader): readonly Issue[] {
  const fields = new DeclaredFields(spec);
  refuseTakenFields(kind, fields, stanzas);
  return isAdditive(stanzas) ? [] : checkMergedFields(kind, fields, stanzas.strategies);
}

/** Returns how policies of a kind are ordered and merged. */
function mergingOf(definition: AnyPolicyKindDefinition, stanzas: StanzaReader) {
  return {
    sameLevel: definition.sameLevel ?? (isAdditive(stanzas) ? 'established-challenger' : 'oldest-wins'),
    singleAt: definition.singleAt ?? [],
    sharedFields: definition.sharedFields ?? [],
    order: conflictOrder<OrderedPolicy>(...(definition.order ?? [byAge, byName])),
    fold: definition.fold ?? 'bottom-up',
    strategyChooser: definition.strategyChooser ?? byEstablished,
    withinObject: definition.withinObject,
    emptyChallenger: definition.emptyChallenger ?? 'wins',
    isEmpty: definition.isEmpty ?? (() => false),
    ownValuePrecedence: definition.ownValuePrecedence ?? 'most-specific',
    yieldingOwnFields: definition.yieldingOwnFields ?? [],
    ownValueTargets: definition.ownValueTargets ?? [],
    ownValueStrategy: definition.ownValueStrategy ?? fieldWise(),
  } as const;
}

/** Returns most other options; those without a default as far as a definition has them. */
function optionsIn(definition: AnyPolicyKindDefinition, stanzas: StanzaReader) {
  const { conflictReason, unreadAttachment, whileDeleting, concerns, secrets } = definition;
  const { clusterScopedTargets, selects, refuses, manages } = definition;
  return {
    coreGroupSpellings: definition.coreGroupSpellings ?? [],
    crossNamespace: definition.crossNamespace ?? 'refuse',
    extensionRefs: definition.extensionRefs ?? false,
    ...(conflictReason === undefined ? {} : { conflictReason }),
    ...(unreadAttachment === undefined ? {} : { unreadAttachment }),
    ...(concerns === undefined ? {} : { concerns }),
    ...(secrets === undefined ? {} : { secrets: effectiveSecrets(secrets, stanzas) }),
    ...(whileDeleting === undefined ? {} : { whileDeleting }),
    ...(clusterScopedTargets === undefined ? {} : { clusterScopedTargets }),
    ...(selects === undefined ? {} : { selects }),
    ...(refuses === undefined ? {} : { refuses }),
    ...(manages === undefined ? {} : { manages }),
  };
}

/** Refuses a list without targets, and one with something else in it: a section that its kind does not have is `undefined`. */
function checkTargets(kind: string, targets: readonly Targetable[]): void {
  const refuse = (what: string): never => {
    throw new PolicyMachineryError('invalid-policy-kind', `${kind} has ${what}`);
  };
  if (targets.length === 0) refuse('no targets; name at least one kind');
  const wrong = targets.findIndex((target) => typeof target !== 'object');
  if (wrong >= 0) {
    refuse(
      `a target, number ${wrong + 1}, that is not a kind; give a target kind, or a section that it has, such as Gateway.sections.listener`,
    );
  }
}

function checkBy(schema: StandardSchemaV1): (effective: JsonObject) => readonly SpecFault[] {
  return (effective) => {
    const { faults, failure } = schemaFaults(schema, effective);
    return failure === undefined ? faults : [{ message: `the schema of its kind failed: ${failure}`, pointer: '' }];
  };
}

/** Returns a reader of specs as the API server stores them. */
function readBy(reader: StanzaReader, stored: ((spec: JsonObject) => JsonObject) | undefined): StanzaReader {
  return stored === undefined ? reader : { ...reader, read: (spec) => reader.read(stored(spec)) };
}

/** Refuses a definition into which a profile was spread that was not called, which would leave out all of the profile. */
function refuseUncalledProfile({
  kind,
  uncalled,
}: {
  readonly kind: string;
  readonly uncalled?: string | undefined;
}): void {
  if (uncalled === undefined) return;
  const message = `${kind} spreads the profile ${uncalled} without calling it; write ...${uncalled}()`;
  throw new PolicyMachineryError('invalid-policy-kind', message);
}

/** Refuses effective targets of a direct kind that its policies could not affect, because they target no such object. */
function refuseWhatIsBelow(kind: string, targets: readonly Targetable[], effective: readonly Targetable[]): void {
  const declared = kindsOf(targets);
  const below = effective.find((target) => !declared.has(kindKeyOf(target)));
  if (below === undefined) return;
  const message = `${kind} is direct and has the effective target ${describeTargetable(below)}, which its policies cannot target; name it in targets, or leave it out of effectiveTargets`;
  throw new PolicyMachineryError('invalid-policy-kind', message);
}

function kindsOf(targets: readonly Targetable[]): ReadonlySet<string> {
  return new Set(targets.map(kindKeyOf));
}

function kindKeyOf(target: Targetable): string {
  return groupKindKey(isSectionKind(target) ? target.of : target);
}
