import type { Attaching } from './attaching.ts';
import type { Attachment } from './attachment.ts';
import { attachmentMessage, type Failure, type Sought } from './attachment-issue.ts';
import { formatTarget } from './format.ts';
import { readSafely } from './read-safely.ts';
import type { TargetNode } from './target-node.ts';

type Declaration = Pick<Attachment, 'declared' | 'via'>;

/** Attaches a policy to a target that it may have, unless that is managed by someone else (T-22). */
export function settle(
  declaration: Declaration,
  target: TargetNode,
  { locator, ref, kind, report }: Pick<Attaching, 'locator' | 'ref' | 'kind' | 'report'>,
): Attachment {
  const [isManaged = false] = readSafely(locator, report, () => [kind.manages?.(target) ?? true]);
  if (!isManaged) {
    const asked = `${declaration.via === 'policyRef' ? 'is named by' : 'targets'} ${formatTarget(target)}`;
    return unattached(declaration, 'ManagedElsewhere', { asked, ref: target.ref }, kind);
  }
  const isAbroad = target.ref.namespace !== undefined && target.ref.namespace !== ref.namespace;
  const consumer = kind.crossNamespace === 'consumer' && isAbroad ? ref.namespace : undefined;
  const counts = consumer === undefined ? {} : { consumerNamespace: consumer };
  return { ...declaration, outcome: 'Attached', target, ...counts };
}

/** The attachment of a policy that does not come to its target. */
export function unattached(
  declaration: Declaration,
  outcome: Failure,
  sought: Sought,
  kind: Attaching['kind'],
): Attachment {
  return { ...declaration, outcome, message: attachmentMessage(outcome, sought, kind) };
}
