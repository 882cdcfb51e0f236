// data/: the data of a page, as JSON. Collecting turns a topology and effective policies into rows of numbers: targets, policies and texts are
// listed once and referred to by their index, and contexts that are merged alike share one group. The page reads the rows. Numbers stay the same
// while the topology changes, so that a change of the topology changes few rows.

import type { DataPlane, ListenerLoss, RequestListener } from '@policy-machinery/gateway-api';
import type { JsonValue } from '@policy-machinery/resource';

/** The index of a text in {@link ReportData.texts}. */
export type Text = number;

/** The index of a target in {@link ReportData.targets}. */
export type NodeId = number;

/** The index of a policy in {@link ReportData.policies}. */
export type PolicyId = number;

export interface ReportData {
  readonly title: string;
  /** The only namespace with policies that are listed. Default: all are. */
  readonly namespace?: string;
  /** The subject of the page, and missing parts, in sentences. */
  readonly notes: readonly string[];
  /** The time where the page was created, in ISO 8601. */
  readonly made: string;
  readonly texts: readonly string[];
  /** The objects and their sections; `null` for one that is gone. */
  readonly targets: readonly (TargetRow | null)[];
  /** The targets that each target links to; 0 for none. */
  readonly links: readonly (readonly NodeId[] | 0)[];
  /** The policies; `null` for one that is gone. */
  readonly policies: readonly (PolicyRow | null)[];
  readonly views: readonly ViewData[];
  /** The ways that lead to targets, as a tree: the index of the way before the last target, or -1, and the last target. */
  readonly ways: readonly (readonly [before: number, node: NodeId])[];
  readonly requests: RequestData;
  readonly issues: readonly IssueRow[];
  readonly verdicts: readonly VerdictRow[];
  /** Outcomes in place of the outcomes in the rows of policies. Default: none. */
  readonly outcomes?: readonly OutcomeRow[];
  /** Which requests are protected. Default: it is not known, and the page does not mention it. */
  readonly coverage?: CoverageData;
}

/** Which requests are protected, for each concern. */
export interface CoverageData {
  readonly concerns: readonly ConcernRow[];
  readonly cells: readonly CellRow[];
  /** The index of a cell for each concern. */
  readonly answers: readonly (readonly number[])[];
  readonly rows: readonly CoveredRow[];
}

/** A concern: its name in a sentence, whether it is required, and why requests do not meet it. */
export type ConcernRow = readonly [title: Text, isRequired: 0 | 1, ...causes: readonly CauseRow[]];

/** Why requests of routes do not meet a concern, with the remedy. */
export type CauseRow = readonly [status: Text, cause: Text, remedy: Text, ...routes: readonly NodeId[]];

/** How requests meet a concern, who decides it, and the reason in one line. */
export type CellRow = readonly [status: Text, state: Text, source: Text, reason: Text];

/** Requests that a route takes through a Gateway, with the index of their answer. */
export type CoveredRow = readonly [route: NodeId, gateway: NodeId, answer: number, ...hostnames: readonly Text[]];

/** An object, or the name of a section. */
export type TargetRow = ObjectRow | Text;

/** An object: its kind, its namespace or -1, its name, and its sections in their order. */
export type ObjectRow = readonly [kind: Text, namespace: Text | -1, name: string, ...sections: readonly NodeId[]];

/** A policy with its outcome, a message, and the targets that it is attached to. */
export type PolicyRow = readonly [
  kind: Text,
  namespace: Text | -1,
  name: string,
  outcome: Text,
  message: Text,
  targets: readonly NodeId[],
];

export type OutcomeRow = readonly [policy: PolicyId, outcome: Text, message: Text];

/**
 * An issue: `error` or `warning`, the fault, its place, the policy or target that it is about, if that is on the page, and the address that explains
 * its code, if any.
 */
export type IssueRow = readonly [
  ...[severity: Text, message: Text, where: Text],
  ...[policy: PolicyId | -1, node: NodeId | -1, explained?: Text],
];

/** A guarantee: its name, its meaning or the expression that must be true, the answer, and the evidence. */
export type VerdictRow = readonly [name: Text, meaning: Text, answer: Text, shown: readonly ShownRow[]];

/** The evidence for an answer about a guarantee, in a sentence; and the question to the page that replays the request, or -1. */
export type ShownRow = readonly [sentence: Text, question: Text | -1];

/** The effective policies of one policy kind. */
export interface ViewData {
  readonly kind: Text;
  readonly layers: readonly LayerRow[];
  readonly losses: readonly LossRow[];
  readonly fields: readonly FieldRow[];
  readonly shares: readonly ShareRow[];
  readonly groups: readonly GroupRow[];
  /** Lists of contexts. Targets with the same contexts share one. */
  readonly lists: readonly (readonly ContextRow[])[];
  /** The list of each target; -1 for targets that no policy reaches, or that are not effective targets. */
  readonly contexts: readonly number[];
  /** How many contexts of each group are below targets that are not effective targets; 0 for none. Routes have none. */
  readonly below: readonly (BelowRow | 0)[];
  /** The contexts that requests to a rule meet at targets that have several, or one that not all paths lead to, by the rule; 0 if there are none. */
  readonly choices: readonly (ChoiceRow | 0)[];
  /** Entry and context, alternating; -1 in place of a context where the policies of the kind do not count. */
  readonly choiceLists: readonly (readonly number[])[];
}

/** How many contexts of each group are below a target, by group. */
export type BelowRow = Readonly<Record<number, number>>;

/** A context of a target: its group, or -1 if no policy reaches it, the number of its paths, and the first of these paths without the target. */
export type ContextRow = readonly [group: number, paths: number | string, ...ways: readonly number[]];

/** The effective policy in contexts that are merged alike: the indexes of fields, and of the shares of policies. */
export type GroupRow = readonly [fields: readonly number[], shares: readonly number[]];

/** The share of a policy: its outcome, then messages about the parts that could not be carried out. */
export type ShareRow = readonly [policy: PolicyId, outcome: Text, ...issues: readonly Text[]];

/** A layer: its policy, or -1 for the target's own value, its place of attachment, and its description, such as `default on Gateway infra/edge`. */
export type LayerRow = readonly [policy: PolicyId | -1, node: NodeId, how: Text];

/** A loss: the value that lost, or -1 if the layer had removed the field, the layer, and why it lost. */
export type LossRow = readonly [value: Text | -1, layer: number, why: Text];

/** A field: its value, or -1 if the field is not set, the layers that set it, and the losses. */
export type FieldRow = readonly [pointer: Text, value: Text | -1, by: readonly number[], over: readonly number[]];

/** The data that answers to requests need. */
export interface RequestData {
  readonly gateways: readonly GatewayRow[];
  /** Lists of routes, which listeners share. */
  readonly routeLists: readonly (readonly number[])[];
  readonly routes: readonly RouteRow[];
  /** The ways of requests to a route: the listener, then the routes that delegate, each with its rule. */
  readonly entries: readonly (readonly NodeId[])[];
}

/** A Gateway and its listeners, in order of precedence. */
export type GatewayRow = readonly [node: NodeId, listeners: readonly ListenerRow[]];

/** The parts of a listener that decide which requests it takes. */
export interface ListenerRow {
  readonly node: NodeId;
  readonly name: string;
  readonly port: number;
  readonly hostname?: string;
  readonly transport?: 'TCP' | 'UDP';
  readonly lostBy?: ListenerLoss;
  readonly dependsOn?: RequestListener['dependsOn'];
  readonly dataPlane?: DataPlane;
  readonly routes: number;
  readonly delegated?: number;
}

/**
 * The parts of a route that decide which requests it takes: its creation time in seconds since 1970 or -1, the matches of its rules, its hostnames,
 * and the routes that delegate to it, each with its rule.
 */
export type RouteRow = readonly [
  node: NodeId,
  created: number,
  rules: readonly CompactRule[] | WrittenRules,
  hostnames?: JsonValue,
  via?: readonly NodeId[],
];

/** Rules with fields that are not lists of objects. */
export interface WrittenRules {
  readonly written: JsonValue;
}

/** The matches of a rule: `/cart` for a prefix, `=/cart` for an exact path, otherwise the match itself. A value that is not a match is in a list. */
export type CompactRule = readonly JsonValue[];

/** The contexts at targets below a rule, target and context alternating: a context is an index into the target's contexts, or -1 - n for list n of choices. */
export type ChoiceRow = readonly number[];
