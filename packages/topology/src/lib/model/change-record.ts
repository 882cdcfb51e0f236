import type { PolicyNode } from './policy-node.ts';
import type { TargetNode } from './target-node.ts';

/** A policy before and after a change. */
export interface PolicyChange {
  readonly was: PolicyNode | undefined;
  readonly now: PolicyNode | undefined;
}

/** What a change came to, for views that follow the topology. Targets that are gone, or that came, are nodes as of then. */
export interface ChangeRecord {
  /** That of the topology after the change. */
  readonly version: number;
  /** Locators of the resources that were given or taken away, in no order. */
  readonly given: readonly string[];
  /** New targets, each once. */
  readonly came: readonly TargetNode[];
  readonly gone: ReadonlySet<TargetNode>;
  /** Targets from before whose resource or links have changed, whose namespace has come or gone, or what is attached to them. */
  readonly changed: ReadonlySet<TargetNode>;
  /** Targets from before into which other links lead than before. */
  readonly entered: ReadonlySet<TargetNode>;
  /** Whole targets from before whose resource has changed. */
  readonly edited: ReadonlySet<TargetNode>;
  /** Targets from before whose references are refused, or lead nowhere, in another way than before. */
  readonly restated: ReadonlySet<TargetNode>;
  /** By locator. */
  readonly policies: ReadonlyMap<string, PolicyChange>;
  /** Locators of resources that have other issues than before. */
  readonly reported: ReadonlySet<string>;
}
