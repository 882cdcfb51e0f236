import { affectedConditionType, type ConditionUpdate } from '@policy-machinery/conditions';
import { ancestorLimitType, isAboutPolicies } from '@policy-machinery/conditions/inner';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { formatGroupKind, type JsonObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { isSectionKind, type TargetNode, type TargetStatus } from '@policy-machinery/topology';
import { isVirtualKind } from '@policy-machinery/topology/inner';
import { topologyOf } from '../effective-policies-input.ts';
import { kindStatusOf, placeOfKindStatus, setKindStatus } from '../status/kind-status.ts';
import { planMarks } from '../status/marks.ts';
import { ownedFields } from '../status/owned-fields.ts';
import { leadsTo } from '../status/parent-reference.ts';
import { type StatusEdit, setConditions, setParentConditions, setSectionConditions } from '../status/set-conditions.ts';
import type { StatusLocation } from '../status/status-locations.ts';
import { generationOf, statusOf } from '../status/status-of.ts';
import { type StatusWrite, writeOf } from '../status/status-write.ts';
import { type AffectedPart, type Affecting, affectedParts, conditionsOn } from './affected-object.ts';
import { limitConditions, type OmittedAncestors } from './omitted-ancestors.ts';
import type { PlanSettings } from './plan-options.ts';
import { refusing } from './refusing.ts';
import { isWriterOf } from './shared-objects.ts';
import type { PlannedWrites, RefusedStatus } from './status-plan.ts';

/**
 * Plans the statuses of objects: the conditions of their kinds, the policies that affect them, and those without room for them in their own
 * status.
 *
 * @param objects The targets in scope, each with the kinds of policies, by name, that may change their conditions there. Kinds with one name
 * share their conditions.
 * @param omitted The ancestors without room, for each of these effective policies.
 * @param views The effective policies with conditions that the controller owns.
 */
export function planObjects(
  objects: ReadonlyMap<TargetNode, ReadonlySet<string>>,
  omitted: ReadonlyMap<EffectivePolicies<unknown>, OmittedAncestors>,
  views: readonly EffectivePolicies<unknown>[],
  settings: PlanSettings,
): PlannedWrites {
  const { controllerName } = settings;
  const kinds = views.map((view) => {
    const { kind } = view.kind;
    const types = {
      type: affectedConditionType(controllerName, kind),
      limitType: ancestorLimitType(controllerName, kind),
    };
    return { view, ...types, ancestors: omitted.get(view) };
  });
  const owned = typesOf(kinds);
  const refused: RefusedStatus[] = [];
  const context = { topology: topologyOf(views), controllerName };
  const planOf = (node: TargetNode, about: ReadonlySet<string>): StatusWrite | undefined => {
    if (!isWritable(node) || settings.answersFor?.(node.locator) === false) return undefined;
    const kindsInScope = kinds.filter(({ view }) => about.has(view.kind.kind));
    const kindStatus = kindStatusOf(node, context);
    const place = placeOf(node, owned, settings, kindStatus);
    const reportedKinds =
      place.object === 'parents' ? kindsInScope : kindsInScope.filter(({ view }) => isWriterOf(view, node));
    const renewed = reportedKinds.length === kinds.length ? owned : typesOf(reportedKinds);
    const affected = reportedKinds.flatMap(({ view, type }) =>
      affectedParts(node, view, type, place.sections !== undefined, settings.affected),
    );
    if (place.object === 'annotation')
      return planMarks(node, new Set(affected.map(({ type }) => type)), { renewed, owned }, settings);
    const signals = limitConditions(node, reportedKinds);
    const isSilent = affected.length === 0 && signals.length === 0 && kindStatus === undefined;
    if (isSilent && node.resource.status === undefined) return undefined;
    return planObject(node, { affected, signals, place, own: kindStatus, renewed, owned }, settings, refused);
  };
  const writes = [...objects].flatMap(([node, about]) => refusing(node, refused, () => planOf(node, about)) ?? []);
  return { writes, refused };
}

/** Returns whether the API server has an object for a target, rather than for a section or a virtual kind. */
function isWritable({ kind }: TargetNode): boolean {
  return !isSectionKind(kind) && !isVirtualKind(kind);
}

/** Returns the condition types about policies of some kinds. */
function typesOf(kinds: readonly { readonly type: string; readonly limitType: string }[]): readonly string[] {
  return kinds.flatMap(({ type, limitType }) => [type, limitType]);
}

/** Returns where an object has conditions. An object of an unknown kind that is marked stays marked. */
function placeOf(
  { kind, resource }: TargetNode,
  owned: readonly string[],
  { places, markedBy }: PlanSettings,
  kindStatus: TargetStatus | undefined,
): StatusLocation {
  const placeOfKind = isSectionKind(kind) ? undefined : places[formatGroupKind(kind)];
  if (placeOfKind !== undefined) return placeOfKind;
  if (kindStatus !== undefined) return placeOfKindStatus(kindStatus);
  const isMarked = Object.keys(resource.metadata[markedBy] ?? {}).some((type) => owned.includes(type));
  return { object: !isMarked && Array.isArray(statusOf(resource).conditions) ? 'conditions' : 'annotation' };
}

/** Returns how conditions on an object are set. */
function editOf(
  { resource, locator }: TargetNode,
  { renewed, retired }: { readonly renewed: readonly string[]; readonly retired: readonly string[] },
  { now, controllerName }: PlanSettings,
  refused: RefusedStatus[],
): StatusEdit {
  return {
    observedGeneration: generationOf(resource),
    now,
    owned: [...renewed, ...retired],
    retired,
    controllerName,
    refused: (conditions) => {
      const types = conditions.map(({ type }) => type).join(', ');
      refused.push({ resource: locator, message: `its status is full: it cannot take the condition ${types}` });
    },
  };
}

/**
 * Returns the types of conditions in the controller's entries for parents that another version of it has written, and this one does not. If the kind
 * defines its status, all conditions in these entries are the controller's; else the program that writes the status of the kind may use the same name,
 * so that only conditions about policies are.
 */
function retiredTypes(
  status: JsonObject,
  kindStatus: TargetStatus | undefined,
  owned: readonly string[],
  { controllerName }: PlanSettings,
): readonly string[] {
  const present = new Set([...owned, ...(kindStatus?.parents?.types ?? [])]);
  const isOwn = (type: string) => kindStatus?.parents !== undefined || isAboutPolicies(controllerName, type);
  const entries = objectsIn(status.parents).filter((entry) => entry.controllerName === controllerName);
  const types = entries.flatMap(({ conditions }) => objectsIn(conditions).flatMap(({ type }) => stringIn(type) ?? []));
  return types.filter((type) => !present.has(type) && isOwn(type));
}

/** The conditions on an object. */
interface News {
  readonly affected: readonly AffectedPart[];
  /** The conditions about policies without room for the object in their status. */
  readonly signals: readonly ConditionUpdate[];
  readonly place: StatusLocation;
  /** The status that the kind of the object defines. */
  readonly own: TargetStatus | undefined;
  /** The condition types in this plan. */
  readonly renewed: readonly string[];
  /** All condition types that the controller owns. */
  readonly owned: readonly string[];
}

function planObject(
  node: TargetNode,
  { affected, signals, place, own, renewed, owned }: News,
  settings: PlanSettings,
  refused: RefusedStatus[],
): StatusWrite | undefined {
  const { resource, ref } = node;
  const stored = statusOf(resource);
  const retired = place.object === 'parents' ? retiredTypes(stored, own, owned, settings) : [];
  const edit = editOf(node, { renewed, retired }, settings, refused);
  const conditionsFor = (policiesOf: (part: AffectedPart) => Affecting): readonly ConditionUpdate[] =>
    conditionsOn(affected, policiesOf, settings);
  const { namespace = '' } = ref;
  const throughParent = (parentRef: JsonObject): readonly ConditionUpdate[] => {
    const leadsHere = leadsTo(parentRef, namespace);
    return [...conditionsFor(({ policies }) => policies.filter(({ parents }) => leadsHere(parents))), ...signals];
  };

  const withKindStatus = own === undefined ? stored : setKindStatus(stored, own, { place, namespace, edit });
  const { sections } = place;
  const onObject = ({ section, policies }: AffectedPart) =>
    sections === undefined || section === undefined ? policies : [];
  const withObject =
    place.object === 'parents'
      ? setParentConditions(withKindStatus, specOf(resource).parentRefs, namespace, throughParent, edit)
      : setConditions(withKindStatus, [...conditionsFor(onObject), ...signals], edit);
  const inSection = (name: string) => conditionsFor(({ section, policies }) => (section === name ? policies : []));
  const status = sections === undefined ? withObject : setSectionConditions(withObject, sections, inSection, edit);
  if (status === stored) return undefined;
  const owns = { status: ownedFields(status, place, owned, own) };
  return writeOf(node, { changed: { status }, owns, isWhole: place.object === 'parents', urgency: 'object' }, settings);
}
