import { effectivePolicies } from '@policy-machinery/effective-policy';
import {
  type ChangedField,
  type EffectiveChange,
  impact,
  type OutcomeChange,
} from '@policy-machinery/policy-status/impact';
import {
  type KubernetesObject,
  locatorOf,
  printable,
  type ReleasedDefinition,
  storedObjects,
} from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology, formatTarget } from '@policy-machinery/topology';
import { type HierarchyName, hierarchiesIn } from './hierarchy.ts';

/** The most changes that are listed, and the most characters of a value. */
const [mostChanges, longestValue] = [500, 200];

/**
 * Returns what differs between two configurations, a line for each field that applies otherwise and each policy with another outcome. Both are read by
 * the definitions that are in the second one, or only in the first.
 *
 * @param before The manifests before.
 * @param after The manifests after.
 * @param reading How kinds are read.
 * @throws {PolicyMachineryError} If the objects cannot be used together.
 */
export function changesBetween(
  before: string,
  after: string,
  { dialects, released, hierarchy }: Reading,
): readonly string[] {
  const [old, young] = [objectsIn(before, released), objectsIn(after, released)];
  const gone = [...old].filter(([locator]) => !young.has(locator)).map(([, object]) => object);
  const [{ kinds, targetKinds }] = hierarchiesIn([...young.values(), ...gone], dialects, released, hierarchy);
  const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
  topology.apply({ upsert: old.values() });
  const views = kinds
    .filter(({ merging }) => merging === 'known')
    .map(({ kind, viewOptions }) => effectivePolicies(topology, kind, viewOptions));
  const lines = views.flatMap((view) => {
    const { effective, outcomes } = impact(view, { upsert: young.values(), remove: gone });
    return [...effective.flatMap((each) => effectiveLines(view.kind.kind, each)), ...outcomes.flatMap(outcomeLine)];
  });
  const more = lines.length - mostChanges;
  return more <= 0 ? lines : [...lines.slice(0, mostChanges), `and ${more} more`];
}

/** How kinds are read. */
interface Reading {
  /** How kinds merge that do not say so themselves. */
  readonly dialects: Readonly<Record<string, string>>;
  /** The definitions of releases, for kinds that no object defines. */
  readonly released: readonly ReleasedDefinition[];
  /** The hierarchy to compare, if there are two. Default: Gateway API's. */
  readonly hierarchy?: HierarchyName | undefined;
}

/** Returns the objects of a text by their locators. The editor lists their faults. */
function objectsIn(text: string, released: readonly ReleasedDefinition[]): ReadonlyMap<string, KubernetesObject> {
  const manifests = parseManifests({ source: 'manifests', text }, { onIssue: () => {} });
  const store = storedObjects(manifests, released);
  return new Map([...manifests].map((object) => [locatorOf(object), store(object).object]));
}

function effectiveLines(kind: string, { before, after, fields }: EffectiveChange): readonly string[] {
  const policy = after ?? before;
  if (policy === undefined) return [];
  const where = `${formatTarget(policy.target)}: ${kind}`;
  if (before === undefined) return fields.map((field) => `${where}${field.pointer} is now ${value(field.after)}`);
  if (after === undefined) return [`${where} no longer applies`];
  return fields.map((field) => `${where}${field.pointer} ${changeOf(field)}`);
}

function changeOf({ before, after }: ChangedField): string {
  if (after === undefined) return `is no longer set; it was ${value(before)}`;
  return before === undefined ? `is now ${value(after)}` : `is now ${value(after)}, and was ${value(before)}`;
}

function outcomeLine({ before, after }: OutcomeChange): readonly string[] {
  const report = after ?? before;
  if (report === undefined || before?.outcome === after?.outcome) return [];
  const { kind, metadata } = report.policy.resource;
  const name = [metadata.namespace, metadata.name].filter((part) => part !== undefined).join('/');
  const what =
    after === undefined ? 'is gone' : `is ${after.outcome}${before === undefined ? '' : `, and was ${before.outcome}`}`;
  return [printable(`${kind} ${name} ${what}`)];
}

function value(given: unknown): string {
  const text = printable(JSON.stringify(given) ?? 'nothing');
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
