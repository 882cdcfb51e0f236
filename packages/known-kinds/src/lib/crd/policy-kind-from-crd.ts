import { gatewayApi } from '@policy-machinery/gateway-api';
import { definePolicyKind, type PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatGroupKind,
  type GroupKind,
  type JsonObject,
  type KubernetesObject,
  type ReleasedDefinition,
} from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind } from '@policy-machinery/topology';
import { clusterReachOf } from '../model/cluster-reach.ts';
import type { Dialect } from '../model/dialects.ts';
import { finest } from '../model/finest.ts';
import { anyObject, checked, type SpecChecks } from '../model/spec-checks.ts';
import { unmergedKind } from '../model/unmerged.ts';
import { checksOf, checksOfRelease } from './checks.ts';
import { classOf, type Definition, propertiesOf, readDefinition, unconvertedVersions } from './definition.ts';
import { Patterns } from './patterns.ts';
import { Rules } from './rules.ts';
import { stanzasOf } from './stanzas.ts';
import { targetFieldsOf } from './target-fields.ts';
import { targetKindsOf } from './target-kinds.ts';
import { uncheckedIn } from './unchecked.ts';

/** How a CustomResourceDefinition is read. */
export interface CrdOptions {
  /** The version to read. Default, and if it is not served: the stored one. */
  readonly version?: string | undefined;
  /** The kinds that policies may target, besides those that the schema names. Default: the kinds of `gatewayApi()`. */
  readonly targetKinds?: readonly TargetKind[] | undefined;
  /** Declares a kind of targets that only the schema names. Default: a namespaced kind without sections. */
  readonly foreignKind?: ((kind: GroupKind) => TargetKind) | undefined;
  /** How policies are merged: `dialectNamed('kuadrant')`. Default: as in GEP-713, if the schema has its words; otherwise not at all. */
  readonly dialect?: Dialect | undefined;
}

/** The parts of a released CustomResourceDefinition that a kind of the table lacks. */
export interface ReleaseReading {
  readonly definition: Definition;
  readonly checks: SpecChecks;
}

/**
 * Reads the CustomResourceDefinition of a release, which may not be the one in use.
 *
 * @param released The definition and the name of its release.
 * @param version As in {@link CrdOptions}.
 * @returns The definition with the checks of its specs, where unknown fields are not faults; `undefined` for resources that define no kind.
 */
export function readRelease(
  { definition: crd, release }: ReleasedDefinition,
  version: string | undefined,
): ReleaseReading | undefined {
  const definition = readDefinition(crd, version);
  if (definition === undefined) return undefined;
  const { proper } = stanzasOf(definition.spec);
  return { definition, checks: checksOfRelease(definition.spec, proper, release) };
}

/** A policy kind from a CustomResourceDefinition, with notes about it. */
export interface CrdReading {
  /** The group, kind, versions and schemas; `undefined` for resources that define no kind. */
  readonly definition: Definition | undefined;
  /** The policy kind; `undefined` if specs name no targets. */
  readonly kind: PolicyKind<JsonObject> | undefined;
  /** The class that the policy label gives the kind; `undefined` without a label. */
  readonly labelled: 'Direct' | 'Inherited' | undefined;
  /** Whether policies are merged. If this is `unknown`, they are kept apart: see {@link FoundKind}. */
  readonly merging: 'known' | 'unknown';
  /** The checks of specs; `undefined` without a schema. */
  readonly checks: SpecChecks | undefined;
  /** Where the status of a policy has its conditions. */
  readonly status: 'ancestors' | 'conditions' | 'other';
  /** Notes about unknown, unchecked or guessed parts, as sentences. */
  readonly notes: readonly string[];
  /** The notes about unchecked rules. */
  readonly unchecked: readonly string[];
}

/**
 * Makes a policy kind from any CustomResourceDefinition: its targets, its stanzas and the checks of its specs. The checks are the API
 * server's, except for rules and patterns in `notes`.
 *
 * @param crd The CustomResourceDefinition.
 * @param options The version, the kinds of targets, and the dialect.
 * @returns The policy kind, with notes about unknown parts.
 * @example
 * ```ts
 * const { kind, merging, notes } = policyKindFromCrd(definition, { dialect: dialectNamed('kuadrant') });
 * ```
 */
export function policyKindFromCrd(crd: KubernetesObject, options: CrdOptions = {}): CrdReading {
  const { targetKinds = gatewayApi(), dialect, foreignKind = (it: GroupKind) => defineTargetKind(it) } = options;
  const definition = readDefinition(crd, options.version);
  const labelled = classOf(definition?.label);
  const unread = { definition, kind: undefined, labelled, merging: 'unknown', notes: [], unchecked: [] } as const;
  if (definition === undefined) return { ...unread, checks: undefined, status: 'other' };

  const { spec } = definition;
  const rules = new Rules();
  const patterns = new Patterns();
  const fields = targetFieldsOf(spec);
  const stanzas = stanzasOf(spec);
  const checks = checksOf(spec, stanzas.proper, rules, patterns);
  const read = { ...unread, checks, status: statusOf(definition) };
  if (fields === undefined) return read;
  const kinds = targetKindsOf(spec, fields, targetKinds, rules, foreignKind);
  if (kinds.targets.length === 0) return read;

  const profile = dialect?.profile ?? (fields.unread.length > 0 ? undefined : stanzas.profile);
  // Some systems label kinds Direct and still merge their policies with policies above.
  const policyClass = profile === undefined || labelled === 'Inherited' ? labelled : undefined;
  const declared = {
    ...declarationOf(definition, fields, kinds),
    ...(policyClass === undefined ? {} : { policyClass }),
    stored: checks.stored,
  };
  const defined = profile === undefined ? unmergedKind(declared) : definePolicyKind({ ...profile, ...declared });
  const unchecked = uncheckedIn(spec, rules, patterns).map((part) => `Not checked: ${part}.`);
  return {
    ...read,
    kind: checked(defined, checks),
    merging: profile === undefined ? 'unknown' : 'known',
    notes: [
      ...(fields.unread.length > 0
        ? [`Not read: ${fields.unread.join(', ')} of references, so policies with them may have other targets.`]
        : []),
      ...(kinds.isAny ? ['The schema allows targets of any kind.'] : []),
      ...(policyClass === 'Direct' ? [directNote] : []),
      ...(profile === undefined ? [unmergedNote(definition, stanzas.resembles)] : []),
      ...unchecked,
    ],
    unchecked,
  };
}

/** Returns the declaration of a kind by its schema, without its class and the merging of its policies. */
function declarationOf(
  definition: Definition,
  fields: NonNullable<ReturnType<typeof targetFieldsOf>>,
  { targets, coreGroupSpellings }: ReturnType<typeof targetKindsOf>,
) {
  const { group, version, kind, plural, scope } = definition;
  const { clusterScopedTargets, reachesNamespaces } = clusterReachOf(targets);
  // Without a namespace in references, targets in other namespaces cannot be named.
  const isOpen = scope === 'Cluster' || (reachesNamespaces && !fields.hasNamespace);
  return {
    group,
    version,
    otherVersions: unconvertedVersions(definition).map((other) => ({ version: other })),
    kind,
    plural,
    scope,
    targets,
    effectiveTargets: finest(targets),
    targetSelectors: fields.hasSelectors,
    maxTargets: fields.maxTargets,
    maxSelectors: fields.maxSelectors,
    targetPorts: fields.hasPorts,
    coreGroupSpellings,
    crossNamespace: isOpen ? 'allow' : fields.hasNamespace ? 'granted' : 'refuse',
    clusterScopedTargets,
    spec: anyObject,
  } as const;
}

const directNote = 'By its policy label, Direct, a policy affects only its targets, and nothing below.';

/**
 * Returns the note on a kind with unknown merging.
 *
 * @param resembles The dialect that its schema resembles, if any.
 */
export function unmergedNote({ group, kind }: { group: string; kind: string }, resembles?: string): string {
  const name = formatGroupKind({ group, kind });
  const hint = resembles === undefined ? '' : `; its fields resemble the dialect ${resembles}`;
  return `How policies of ${name} are merged is not known, so they are shown side by side${hint}.`;
}

function statusOf({ status }: Definition): CrdReading['status'] {
  const fields = propertiesOf(status);
  if ('ancestors' in fields) return 'ancestors';
  return 'conditions' in fields ? 'conditions' : 'other';
}
