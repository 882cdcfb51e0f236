import {
  type GroupKind,
  type Issue,
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
} from '@policy-machinery/resource';
import { fieldFaults, isSet, none } from './field-faults.ts';
import { fieldRules } from './patterns.ts';
import { type PortReading, readPort } from './read-port.ts';
import type { DeclaredTarget, TargetRef } from './target-ref.ts';
import { unreadFields } from './unread-fields.ts';

/** The default limit of targets, and of selectors, in one policy. */
export const defaultMaxTargets = 16;

/** The targets that a policy declares, and their faults. */
export interface TargetRefReading {
  /** The valid references, in the order of the policy. */
  readonly refs: readonly DeclaredTarget[];
  /** Everything that the API server should have refused, with JSON Pointers from the root of the policy. */
  readonly issues: readonly Issue[];
}

type Fault = Pick<Issue, 'message' | 'pointer'> & Partial<Pick<Issue, 'severity' | 'code'>>;

/** How policies may write groups. */
export interface GroupOptions {
  /**
   * Other spellings of the core group: `['core']` for kinds that allow it. They are read as `''`. Default: none, and `core` is
   * a group like others.
   */
  readonly coreGroupSpellings?: readonly string[] | undefined;
  /**
   * The group of references and selectors without one: `''` for kinds where such references mean the core group. Default: references must have
   * a group, and selectors mean Gateway API's.
   */
  readonly defaultGroup?: string | undefined;
  /** Whether references and selectors may name sections by port: in `port`, or in the `sectionName` of a Service, as a number. Default no. */
  readonly ports?: boolean | undefined;
}

/** Options for the targets that policies declare, by name or by selector. */
export interface TargetOptions extends GroupOptions {
  /**
   * The limit of targets, and of selectors, in one policy; `Infinity` for none. A policy that exceeds the limit does not have any
   * target. Default 16.
   */
  readonly maxTargets?: number | undefined;
}

/** Further options for the targets of a policy. */
export interface TargetRefOptions extends TargetOptions {
  /**
   * Whether `spec.targetSelectors` may replace references; see `readTargetSelectors`. Default no: a policy of a kind without
   * selectors would not have any target. Such selectors are reported: as a warning if there are references, which count, and
   * otherwise as an error.
   */
  readonly orSelectors?: boolean | undefined;
  /**
   * Returns whether a kind is cluster-scoped. The namespace of a reference to such a kind is ignored, and does not make it a
   * different target. Default: no kind is.
   */
  readonly isClusterScoped?: ((kind: GroupKind) => boolean) | undefined;
  /**
   * Whether a policy may name a target twice, or both as a whole and by section. A repeated reference counts once; with `report`, it is a
   * warning. Default `refuse`.
   */
  readonly repeatedTargets?: 'refuse' | 'report' | 'allow' | undefined;
}

/**
 * Reads `spec.targetRef` or `spec.targetRefs` of a policy: exactly one of the two, 1 to 16 entries
 * unless `maxTargets` says otherwise, each with group, kind and name in Gateway API's patterns, and no target
 * twice. A field of a reference that is not read is a warning: the reference counts without the field.
 *
 * @param options Whether selectors are enough, which kinds are cluster-scoped, and how the core group may be spelled.
 * @returns Its targets, and every issue found. Never throws.
 * @example
 * ```ts
 * readTargetRefs(policy).refs[0]?.sectionName; // 'https'
 * ```
 */
export function readTargetRefs(policy: KubernetesObject, options: TargetRefOptions = {}): TargetRefReading {
  const { coreGroupSpellings = none, defaultGroup, ports = false, repeatedTargets } = options;
  const faults: Fault[] = [];
  const refs: DeclaredTarget[] = [];
  for (const { pointer, entry } of entriesOf(policy.spec, options, faults)) {
    const ref = readEntry(withGroup(entry, defaultGroup), pointer, ports, faults);
    if (ref === undefined) continue;
    refs.push(coreGroupSpellings.includes(ref.group) ? { ...ref, group: '' } : ref);
  }
  const repeated = refs.length < 2 ? none : repetitions(refs, policy, options);
  const mayRepeat = repeatedTargets === 'allow' || repeatedTargets === 'report';
  if (!mayRepeat) for (const { message, ref } of repeated) faults.push({ message, pointer: ref.pointer });
  if (repeatedTargets === 'report') faults.push(...repeated.flatMap(conflictOf));
  const issues = faults.map((fault): Issue => ({ code: 'invalid-target-ref', severity: 'error', ...fault }));
  if (!mayRepeat || repeated.length === 0) return { refs, issues };
  const dropped = new Set(repeated.flatMap(({ ref, isSame }) => (isSame ? [ref] : [])));
  return { refs: refs.filter((ref) => !dropped.has(ref)), issues };
}

/** Returns the warning about a reference that names the same part as an earlier one: the earlier one stays, and this one is in conflict with it. */
function conflictOf({ isSame, earlier, ref: { pointer } }: Repetition): readonly Fault[] {
  const message = `in conflict with ${earlier}, which names the same target; remove one`;
  return isSame ? [{ code: 'repeated-target', severity: 'warning', message, pointer }] : [];
}

/** Returns a reference with a group. */
function withGroup(entry: JsonValue, group: string | undefined): JsonValue {
  return group === undefined || !isJsonObject(entry) || isSet(entry.group) ? entry : { ...entry, group };
}

/** A reference as a policy has it. */
interface Entry {
  readonly pointer: string;
  readonly entry: JsonValue;
}

function entriesOf(
  spec: unknown,
  { orSelectors = false, maxTargets = defaultMaxTargets }: TargetRefOptions,
  faults: Fault[],
): readonly Entry[] {
  const { targetRef, targetRefs, targetSelectors } = isJsonObject(spec) ? spec : {};
  const fault = (message: string, pointer: string): [] => {
    faults.push({ message, pointer });
    return [];
  };
  if (!orSelectors && !isMissing(targetSelectors)) {
    const isAll = !isSet(targetRef) && isMissing(targetRefs);
    const pointer = '/spec/targetSelectors';
    faults.push({ message: unreadSelectors, pointer, severity: isAll ? 'error' : 'warning' });
    if (isAll) return [];
  }
  if (isSet(targetRef) && isSet(targetRefs)) {
    return fault('both targetRef and targetRefs are set; keep targetRefs', '/spec/targetRef');
  }
  if (isSet(targetRef)) return [{ pointer: '/spec/targetRef', entry: targetRef }];
  if (orSelectors && isMissing(targetRefs) && !isMissing(targetSelectors)) return [];
  if (!Array.isArray(targetRefs) || targetRefs.length === 0) {
    const orElse = orSelectors ? ', or spec.targetSelectors' : '';
    const most = maxTargets === Number.POSITIVE_INFINITY ? '' : `1 to ${maxTargets} `;
    return fault(`no target; set spec.targetRefs to a list of ${most}references${orElse}`, '/spec/targetRefs');
  }
  if (targetRefs.length > maxTargets) {
    return fault(`${targetRefs.length} targets; split the policy, ${maxTargets} are allowed`, '/spec/targetRefs');
  }
  const entries: Entry[] = [];
  for (const entry of targetRefs) entries.push({ pointer: `/spec/targetRefs/${entries.length}`, entry });
  return entries;
}

const unreadSelectors = 'policies of this kind select no targets; name each of them in spec.targetRefs';

function isMissing(list: JsonValue | undefined): boolean {
  return !isSet(list) || (Array.isArray(list) && list.length === 0);
}

const rules = Object.entries(fieldRules);
const fields = Object.keys(fieldRules);
const portedFields = [...fields, 'port'];
const noPort: PortReading = {};

function readEntry(entry: JsonValue, pointer: string, ports: boolean, faults: Fault[]): DeclaredTarget | undefined {
  if (!isJsonObject(entry)) {
    faults.push({ message: 'a target reference must be an object with group, kind and name', pointer });
    return undefined;
  }
  for (const fault of unreadFields(entry, ports ? portedFields : fields, pointer)) faults.push(fault);
  const wrong = fieldFaults(entry, pointer, rules);
  for (const fault of wrong) faults.push(fault);
  const { port, fault } = ports ? readPort(entry, pointer) : noPort;
  if (fault !== undefined) faults.push(fault);
  if (wrong.length > 0 || fault !== undefined) return undefined;
  const { group, kind, name, namespace, sectionName } = entry as unknown as TargetRef;
  const ref: Mutable<DeclaredTarget> = { group, kind, name, pointer };
  if (isSet(namespace)) ref.namespace = namespace;
  if (port !== undefined) ref.port = port;
  else if (isSet(sectionName)) ref.sectionName = sectionName;
  return ref;
}

type Mutable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

function sectionOf({ sectionName, port }: DeclaredTarget): string | undefined {
  return port === undefined ? sectionName : `:${port}`;
}

/** A reference to a target that an earlier reference names. */
interface Repetition {
  readonly ref: DeclaredTarget;
  /** Whether both name the same part, rather than the whole and a section. */
  readonly isSame: boolean;
  /** JSON Pointer to the earlier reference. */
  readonly earlier: string;
  readonly message: string;
}

/** Returns the targets that are named twice, or both as a whole and by section. */
function repetitions(
  refs: readonly DeclaredTarget[],
  policy: KubernetesObject,
  { isClusterScoped = () => false }: TargetRefOptions,
): readonly Repetition[] {
  const seen = new Map<string, DeclaredTarget[]>();
  return refs.flatMap((ref) => {
    // No part but the namespace of the policy may contain a slash.
    const namespace = isClusterScoped(ref) ? '' : (ref.namespace ?? namespaceOf(policy));
    const key = `${ref.group}/${ref.kind}/${namespace}/${ref.name}`;
    const earlier = seen.get(key) ?? [];
    seen.set(key, earlier);
    const same = earlier.find((other) => sectionOf(other) === sectionOf(ref));
    const clash = same ?? earlier.find((other) => sectionOf(other) === undefined || sectionOf(ref) === undefined);
    earlier.push(ref);
    if (clash === undefined) return [];
    const message =
      same !== undefined
        ? `the same target as ${clash.pointer}; remove one`
        : `the same target as ${clash.pointer}, once as a whole and once by section; keep one of the two forms`;
    return [{ ref, isSame: same !== undefined, earlier: clash.pointer, message }];
  });
}
