import type { TargetNode } from './target-node.ts';

/**
 * A position on a path: a target, and how the path arrived at it, which matters for sections. A path from the whole object is in one of its
 * sections. A path that *entered* the section by a link passes the object's level as well, may go on by the links of the object, and must not
 * reach other sections of the object.
 */
export interface Position {
  readonly node: TargetNode;
  readonly entered: boolean;
}

/** The targets of a path, the least specific first. An object comes right before its section. */
export type Path = readonly TargetNode[];

/** The limits of a search for paths. */
export interface PathOptions {
  /** After this number of paths, the search fails. Default 10,000. */
  readonly limit?: number | undefined;
}
