// data/: what a page knows, as JSON. Collecting turns a topology and effective policies into rows of numbers: targets, policies and texts are
// listed once and meant by their place in the list, and contexts in which the very same policies meet share one group. The page reads the rows.

import type { ListenerLoss } from '@policy-machinery/gateway-api';
import type { JsonValue } from '@policy-machinery/resource';

/** The place of a text in {@link ReportData.texts}. */
export type Text = number;

/** The number of a target: objects and their sections are counted in the order of {@link ReportData.objects}, sections after their object. */
export type NodeId = number;

/** The place of a policy in {@link ReportData.policies}. */
export type PolicyId = number;

/** Everything that a page knows. */
export interface ReportData {
  readonly title: string;
  /** When the page was made, in ISO 8601. */
  readonly made: string;
  readonly texts: readonly string[];
  readonly objects: readonly ObjectRow[];
  /** Where links lead: -n goes on to the target that is n after the last one, beginning before the first; the numbers after it are its links. */
  readonly links: readonly number[];
  readonly policies: readonly PolicyRow[];
  readonly views: readonly ViewData[];
  /** The ways by which targets are reached, as a tree: the place of the way before, or -1, and the target that comes next. */
  readonly ways: readonly (readonly [before: number, node: NodeId])[];
  readonly requests: RequestData;
  readonly issues: readonly IssueRow[];
}

/** An object: its kind, its namespace or -1, its name, and the names of its sections if it has any. */
export type ObjectRow =
  | readonly [kind: Text, namespace: Text | -1, name: string]
  | readonly [kind: Text, namespace: Text | -1, name: string, sections: readonly Text[]];

/** A policy, what became of it, and the targets that it is attached to. */
export type PolicyRow = readonly [
  kind: Text,
  namespace: Text | -1,
  name: string,
  outcome: Text,
  message: Text,
  targets: readonly NodeId[],
];

/** Something that is wrong: `error` or `warning`, what, where, and the policy or target that it is about, if the page knows it. */
export type IssueRow = readonly [severity: Text, message: Text, where: Text, policy: PolicyId | -1, node: NodeId | -1];

/** What applies, of one policy kind. */
export interface ViewData {
  readonly kind: Text;
  readonly layers: readonly LayerRow[];
  readonly losses: readonly LossRow[];
  readonly fields: readonly FieldRow[];
  readonly shares: readonly ShareRow[];
  readonly groups: readonly GroupRow[];
  /** Lists of contexts; targets that are reached alike share one. */
  readonly lists: readonly (readonly ContextRow[])[];
  /** The list of each effective target that policies reach. */
  readonly contexts: readonly Run[];
  /** How many contexts of each group are below targets that are no effective targets: group and count in turns. Routes have none. */
  readonly belowLists: readonly (readonly number[])[];
  readonly below: readonly Run[];
  /** Which context requests to a rule meet at targets that have several. */
  readonly choices: readonly ChoiceRow[];
  /** Entries and contexts in turns. */
  readonly choiceLists: readonly (readonly number[])[];
}

/** Some targets in a row, from the first one, that have the same place in a list of lists. */
export type Run = readonly [first: NodeId, length: number, list: number];

/** A context of a target: its group, or -1 if no policy reaches it, how many paths it has, and the first of these without the target. */
export type ContextRow = readonly [group: number, paths: number | string, ...ways: readonly number[]];

/** What applies in contexts in which the very same policies meet: places of fields, and of what became of each policy. */
export type GroupRow = readonly [fields: readonly number[], shares: readonly number[]];

/** What became of a policy: its outcome, then messages about what of it could not be done. */
export type ShareRow = readonly [policy: PolicyId, outcome: Text, ...issues: readonly Text[]];

/** What sets or loses something: a policy, or -1 for what the target says itself, and what it is, such as `default on Gateway infra/edge`. */
export type LayerRow = readonly [policy: PolicyId | -1, node: NodeId, how: Text];

/** What lost a field: its value or -1 if it had removed it, the layer, and why. */
export type LossRow = readonly [value: Text | -1, layer: number, why: Text];

/** A field: its value or -1 if it is not set in the end, the layers that set it, and the losses. */
export type FieldRow = readonly [pointer: Text, value: Text | -1, by: readonly number[], over: readonly number[]];

/** What is needed to answer requests. */
export interface RequestData {
  readonly gateways: readonly GatewayRow[];
  /** Lists of routes: many listeners have the same. */
  readonly routeLists: readonly (readonly number[])[];
  readonly routes: readonly RouteRow[];
  /** The ways of requests to a route: the listener, then the routes that delegate, each with its rule. */
  readonly entries: readonly (readonly NodeId[])[];
}

/** A Gateway and its listeners, in order of precedence. */
export type GatewayRow = readonly [node: NodeId, listeners: readonly ListenerRow[]];

/** A listener as requests find it. */
export interface ListenerRow {
  readonly node: NodeId;
  readonly name: string;
  readonly port: number;
  readonly hostname?: string;
  readonly transport?: 'TCP' | 'UDP';
  readonly lostBy?: ListenerLoss;
  readonly routes: number;
  readonly delegated?: number;
}

/**
 * A route as requests find it: its creation time in seconds since 1970 or -1, its rules with nothing but matches, its hostnames, and the routes
 * that delegate to it, each with its rule.
 */
export type RouteRow = readonly [
  node: NodeId,
  created: number,
  rules: readonly CompactRule[] | WrittenRules,
  hostnames?: JsonValue,
  via?: readonly NodeId[],
];

/** Rules that are not written as lists of objects. */
export interface WrittenRules {
  readonly written: JsonValue;
}

/** The matches of a rule: `/cart` for a prefix, `=/cart` for an exact path, a list with what is no match, else the match itself. */
export type CompactRule = readonly JsonValue[];

/** The contexts at targets below a rule, target and context in turns: a place in the contexts of the target, or -1 - n for the list n of choices. */
export type ChoiceRow = readonly [rule: NodeId, ...choices: readonly number[]];
