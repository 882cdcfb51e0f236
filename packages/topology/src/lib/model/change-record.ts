import type { PolicyNode } from './policy-node.ts';
import type { TargetNode } from './target-node.ts';

/** A policy before and after a change. */
export interface PolicyChange {
  readonly was: PolicyNode | undefined;
  readonly now: PolicyNode | undefined;
}

/** The effects of a change, for views that follow the topology. Targets that were removed or added are nodes as of that change. */
export interface ChangeRecord {
  /** The version of the topology after the change. */
  readonly version: number;
  /** Locators of the resources that were upserted or removed, in no order. */
  readonly given: readonly string[];
  /** New targets, each once. */
  readonly came: readonly TargetNode[];
  readonly gone: ReadonlySet<TargetNode>;
  /** Existing targets with a changed resource, links or attachments, or with an added or removed namespace. */
  readonly changed: ReadonlySet<TargetNode>;
  /** Existing targets with different links from above. */
  readonly entered: ReadonlySet<TargetNode>;
  /** Existing targets with different links to below. */
  readonly exited: ReadonlySet<TargetNode>;
  /** Existing whole targets with a changed resource. */
  readonly edited: ReadonlySet<TargetNode>;
  /** The edited targets with other content. A status and the API server's metadata about writes do not count. */
  readonly rewritten: ReadonlySet<TargetNode>;
  /** Existing targets with changed dangling references. */
  readonly restated: ReadonlySet<TargetNode>;
  /** Existing targets with a link from above that has become undecided, or decided. */
  readonly unsettled: ReadonlySet<TargetNode>;
  /** The policies that were added, removed or changed, by locator. */
  readonly policies: ReadonlyMap<string, PolicyChange>;
  /** Locators of resources with different issues. */
  readonly reported: ReadonlySet<string>;
}
