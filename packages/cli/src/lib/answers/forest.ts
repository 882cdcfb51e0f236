import {
  formatTarget,
  isSectionKind,
  type PolicyNode,
  type Position,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import { linksAfter, rootPositions } from '@policy-machinery/topology/inner';

/** A target at one place of a hierarchy, with everything below. */
export interface TreeNode {
  readonly target: TargetNode;
  /** The name of the target below its parent; for a section, its own name alone. */
  readonly label: string;
  /** The policies attached to the target itself, and to its object if that is not shown above. */
  readonly policies: readonly PolicyNode[];
  readonly children: readonly TreeNode[];
  /** Whether the children are left out, because they are shown further up. */
  readonly isRepeated: boolean;
  /** Whether the target needs a parent and has none. */
  readonly isOrphan: boolean;
}

/**
 * Returns the hierarchy of a topology as trees: classes, Gateways, listeners, routes, rules and backends. Objects that are in no
 * hierarchy, such as Services without routes, are there if policies are attached to them.
 *
 * @param isShown Which targets are shown. Default: all.
 * @returns The trees, in the order of locators. A target with several parents is shown with its children below the first. O(targets + links).
 */
export function forestOf(
  topology: Topology,
  isShown: (target: TargetNode) => boolean = () => true,
): readonly TreeNode[] {
  const seen = new Set<string>();

  function treeAt(position: Position, parent: TargetNode | undefined): TreeNode {
    const { node, entered } = position;
    const below = childrenOf(position).filter(({ node: child }) => isShown(child));
    const key = `${entered} ${node.locator}`;
    const isRepeated = seen.has(key) && below.length > 0;
    seen.add(key);
    return {
      target: node,
      label: parent !== undefined && parent === node.object ? `#${node.section?.name}` : formatTarget(node),
      policies: policiesAt(topology, position),
      children: isRepeated ? [] : below.map((child) => treeAt(child, node)),
      isRepeated,
      isOrphan: entered && isOrphan(node),
    };
  }

  const roots = [...rootPositions(topology.targets)].filter(({ node }) => isShown(node));
  return roots.map((root) => treeAt(root, undefined)).filter(isWorthShowing);
}

/** Returns the policies of a position. A path that enters a section passes its object, without its own line then. */
function policiesAt(topology: Topology, { node, entered }: Position): readonly PolicyNode[] {
  const own = topology.policiesAt(node);
  return entered && node.section !== undefined ? [...topology.policiesAt(node.object), ...own] : own;
}

/** Returns the children of a position: sections first, then the targets of links. */
function childrenOf(position: Position): readonly Position[] {
  const sections = position.node.sections.map((node) => ({ node, entered: false }));
  return [...sections, ...[...linksAfter(position)].map((node) => ({ node, entered: true }))];
}

/** Returns whether a target needs a parent and has none. */
export function isOrphan({ kind, linksFrom }: TargetNode): boolean {
  return !isSectionKind(kind) && kind.needsParent === true && linksFrom.length === 0;
}

/** Returns whether a tree is shown. Objects in no hierarchy are shown if they have policies; Gateways and routes always are. */
function isWorthShowing(tree: TreeNode): boolean {
  const { target, isOrphan } = tree;
  return (
    isOrphan ||
    hasPolicies(tree) ||
    target.object.linksTo.length > 0 ||
    target.sections.some(({ linksTo }) => linksTo.length > 0) ||
    target.ref.kind === 'Gateway'
  );
}

/**
 * Returns a tree without the branches where no policy is attached.
 *
 * @returns The tree; nothing if no branch has a policy.
 */
export function withPolicies(tree: TreeNode): readonly TreeNode[] {
  return hasPolicies(tree) ? [{ ...tree, children: tree.children.flatMap(withPolicies) }] : [];
}

function hasPolicies({ policies, children }: TreeNode): boolean {
  return policies.length > 0 || children.some(hasPolicies);
}

/**
 * Returns the lines of trees, each with the characters that draw its branch.
 *
 * @returns The nodes in order, with `├─ `, `└─ ` and `│` before the labels.
 */
export function linesOf(trees: readonly TreeNode[]): readonly { readonly text: string; readonly node: TreeNode }[] {
  return trees.flatMap((node) => [{ text: node.label, node }, ...linesBelow(node, '')]);
}

function linesBelow(
  { children }: TreeNode,
  before: string,
): readonly { readonly text: string; readonly node: TreeNode }[] {
  return children.flatMap((node, index) => {
    const isLast = index === children.length - 1;
    const line = { text: `${before}${isLast ? '└─ ' : '├─ '}${node.label}`, node };
    return [line, ...linesBelow(node, `${before}${isLast ? '   ' : '│  '}`)];
  });
}
