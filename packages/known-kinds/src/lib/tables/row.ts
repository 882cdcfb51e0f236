import { gep713Vocabulary, type Vocabulary } from '@policy-machinery/conditions';
import type { GatewayApiOptions } from '@policy-machinery/gateway-api';
import { definePolicyKind, type Profile } from '@policy-machinery/policy-kind';
import type { AttachmentOptions } from '@policy-machinery/policy-kind/inner';
import { withoutNulls } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import type { Targetable, TargetKind } from '@policy-machinery/topology';
import { finest } from '../model/finest.ts';
import type { KindOptions, KnownKind } from '../model/known-kind.ts';
import { type OwnFieldReader, ownValueOf, undecidedOwnValueOf } from '../model/own-fields.ts';
import { type TargetFields, withServedFields } from '../model/served-fields.ts';
import { anyObject, checked } from '../model/spec-checks.ts';
import { unmergedKind } from '../model/unmerged.ts';

/** The properties that the kinds of one system have in common. */
export interface System {
  readonly system: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** Where the facts are from. */
  readonly source: string;
  /** Its controllers' conditions. Default: GEP-713's. */
  readonly vocabulary?: Vocabulary;
  /** As {@link KnownKind.controllers}. Default: not known. */
  readonly controllers?: readonly string[];
}

/** One policy kind of a system: the properties that differ from most of its kinds. */
export interface Row extends Partial<System>, AttachmentOptions, Pick<Profile, 'sameLevel' | 'conflictReason'> {
  readonly kind: string;
  /** The class of its policies, whatever the policy label of its definition. */
  readonly policyClass: 'Direct' | 'Inherited';
  readonly targets: readonly Targetable[];
  /** The fields with targets in the definition of the kind. Default: not known, and all are read. */
  readonly targetFields?: TargetFields;
  /** Whether implementations may allow targets of other kinds. Default no. */
  readonly isOpen?: boolean;
  /** Default: the targets, without whole objects if their sections are among them. */
  readonly effectiveTargets?: readonly Targetable[];
  /** How policies are merged. Default: not known. */
  readonly profile?: Profile;
  /** The fields of routes and backends that policies also set. Default: none is known. */
  readonly ownFields?: readonly OwnFieldReader[];
  /** Default `ancestors`. */
  readonly status?: KnownKind['status'];
  /** Default none. */
  readonly referrers?: readonly TargetKind[];
  /** Default none. */
  readonly notes?: readonly string[];
  /** The kinds that virtual targets are derived from. Default: none. */
  readonly sources?: readonly TargetKind[];
  /** Default: as `gatewayApi()` does. */
  readonly linking?: GatewayApiOptions;
  /** Default `gateway-api`. */
  readonly hierarchy?: KnownKind['hierarchy'];
}

/**
 * Returns the known kinds of a system.
 *
 * @param system The properties that its kinds have in common.
 * @param rows One row for each kind.
 * @returns The kinds, in the order of the rows.
 */
export function kindsOf(system: System, rows: readonly Row[]): readonly KnownKind[] {
  return rows.map((row) => knownKind({ ...system, ...row }));
}

function knownKind(row: System & Row): KnownKind {
  const { system, group, versions, source, kind, policyClass, targets, effectiveTargets = finest(targets) } = row;
  const {
    profile,
    status = 'ancestors',
    vocabulary = gep713Vocabulary,
    notes = [],
    ownFields = [],
    linking = {},
    sources = [],
    hierarchy = 'gateway-api',
    controllers,
  } = row;
  return {
    system,
    group,
    kind,
    plural: pluralOf(kind),
    versions,
    scope: 'Namespaced',
    policyClass,
    targets,
    effectiveTargets,
    merging: profile === undefined ? 'unknown' : 'known',
    status,
    vocabulary,
    source,
    options: optionsOf(row),
    notes,
    ownFields,
    linking,
    sources,
    hierarchy,
    ...pick(row, ['targetFields', 'referrers']),
    ...(controllers === undefined ? {} : { controllers }),
    define: (options) => defineFrom(row, options),
  };
}

/** The properties of a row that a declaration of a policy kind also has, if the row has them. */
const optional = [
  'crossNamespace',
  'clusterScopedTargets',
  'maxTargets',
  'maxSelectors',
  'namespaceLevels',
  'readTargets',
  'coreGroupSpellings',
  'defaultGroup',
  'repeatedTargets',
  'targetPorts',
  'selects',
  'refuses',
  'targetSelectors',
  'extensionRefs',
  'sameLevel',
  'conflictReason',
  'unreadAttachment',
] as const;

/** Returns the options that a row sets, by itself or by its profile. */
function optionsOf(row: Row): readonly string[] {
  const own = [...optional, 'targetFields' as const].filter((option) => (row[option] ?? false) !== false);
  const ofFields = readsOwnValues(row) ? ['ownValue'] : [];
  const all = new Set([...own, ...ofFields, ...Object.keys(row.profile ?? {})]);
  return [...all].filter((it) => it !== 'policyClass').sort();
}

function readsOwnValues({ ownFields = [] }: Row): boolean {
  return ownFields.some(({ read, counts }) => read !== undefined || counts === 'not known');
}

function ownValuesOf({ ownFields = [] }: Row) {
  const isOpen = ownFields.some(({ counts }) => counts === 'not known');
  return {
    ownValue: ownValueOf(ownFields.filter(({ counts }) => counts !== 'not known')),
    ...(isOpen ? { undecidedOwnValue: undecidedOwnValueOf(ownFields) } : {}),
  };
}

function pick<Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  const set = keys.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]] as const]));
  return Object.fromEntries(set) as Pick<Row, Key>;
}

function defineFrom(row: System & Row, options: KindOptions = {}) {
  const {
    version = row.versions[0] ?? 'v1',
    checks,
    dialect,
    merging,
    otherTargets = [],
    otherVersions = [],
  } = options;
  const { group, kind, policyClass, isOpen = false } = row;
  const others = isOpen ? otherTargets : [];
  const targets = [...row.targets, ...others];
  const effectiveTargets = [...(row.effectiveTargets ?? finest(row.targets)), ...others];
  const ofRow = merging === 'unknown' ? undefined : row.profile;
  const profile = dialect?.profile ?? ofRow;
  const hasOwnValue = profile !== undefined && profile === ofRow && readsOwnValues(row);
  const definition = {
    group,
    version,
    otherVersions: otherVersions.map((it) => ({ version: it })),
    kind,
    policyClass,
    targets,
    effectiveTargets,
    spec: anyObject,
    stored: checks?.stored ?? withoutNulls,
    ...pick(row, optional),
    ...(hasOwnValue ? ownValuesOf(row) : {}),
  };
  const defined = profile === undefined ? unmergedKind(definition) : definePolicyKind({ ...profile, ...definition });
  return checked(withServedFields(defined, row), checks);
}

export function wholeAndSections<Name extends string>(kind: TargetKind<Name>): readonly Targetable[] {
  return [kind, ...Object.values<Targetable>(kind.sections)];
}
