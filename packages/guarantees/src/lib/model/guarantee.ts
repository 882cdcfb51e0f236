// model/: the content of guarantees. Takes YAML or TypeScript and returns a compiled guarantee: tests of matches and paths, cells of requests,
// and an expression over the policies that a request meets.

import type { LabelSelector } from '@policy-machinery/resource';

/** Objects by namespace, name and labels. An object is meant if all fields that are given select it. */
export interface ObjectSelector {
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  /** The labels of the object. */
  readonly labels?: LabelSelector;
  /** The labels of its namespace. */
  readonly namespaceLabels?: LabelSelector;
}

/** Requests: all those that meet every field that is given. Of each list, one entry suffices. */
export interface RequestSelector {
  readonly gateways?: ObjectSelector;
  /** Names of listeners; in a ListenerSet, `namespace/name/listener`. */
  readonly listeners?: readonly string[];
  /** Hosts, or wildcards such as `*.example.com`. */
  readonly hostnames?: readonly string[];
  /** The default `type` is `PathPrefix`. */
  readonly paths?: readonly { readonly type?: 'Exact' | 'PathPrefix'; readonly value: string }[];
  readonly methods?: readonly string[];
  /** Requests must have all of these headers. Without a `value`, any value is meant. */
  readonly headers?: readonly { readonly name: string; readonly value?: string }[];
  readonly routes?: ObjectSelector;
  readonly backends?: ObjectSelector;
  /** A CEL expression with the variables of `holds`. */
  readonly where?: string;
}

/** The other request of a comparison: the same one, except for these parts. */
export interface OtherSelector {
  /** It arrives at these Gateways, each apart from its own; in a mesh, at these Services. Default: where the request itself arrives. */
  readonly gateways?: ObjectSelector;
  /** It lacks these headers. */
  readonly withoutHeaders?: readonly string[];
  /** It is the same request, at each rule that would take it if the rule that takes it did not exist. Excludes the other fields. */
  readonly shadowed?: true;
}

/** A condition on every request, or on every policy. */
export interface Guarantee {
  /** A name, unique among the guarantees that are verified together. */
  readonly name: string;
  /** The meaning of the guarantee, in a sentence for people. */
  readonly description?: string;
  /** The subject. Default `requests`. */
  readonly about?: 'requests' | 'policies';
  /** The requests that it is about. Default: all. */
  readonly requests?: RequestSelector;
  /** The requests that it is not about. */
  readonly except?: readonly RequestSelector[];
  /** The other request of a comparison, which `holds` reads as `other`. Default: requests are not compared. */
  readonly other?: OtherSelector;
  /**
   * A CEL expression that must be true. It tests single requests, as in `request.path.under("/admin")`, and reads the policies that they meet.
   * `match` contains the conditions of a match: `match.path` may be a prefix, and `match.hostname` a wildcard.
   */
  readonly holds: string;
  /** Whether it may be about no requests or policies at all. Default: `false`, and `gwpolicy verify` fails. */
  readonly mayBeEmpty?: boolean;
}
