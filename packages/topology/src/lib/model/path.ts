import type { TargetNode } from './target-node.ts';

/**
 * A place on a path: a target, and how the path came to it. It matters for sections. A path that came down from the whole
 * object is in one of its sections; one that *entered* the section by a link passes the object's own level on the way,
 * may go on by the links of the object, and must not reach the object's other sections.
 */
export interface Position {
  readonly node: TargetNode;
  readonly entered: boolean;
}

/** The targets that a context passes, least specific first; an object stands right before its section. */
export type Path = readonly TargetNode[];

/** How far to go. */
export interface PathOptions {
  /** The number of paths after which to stop with an error. Default 10,000. */
  readonly limit?: number;
}
