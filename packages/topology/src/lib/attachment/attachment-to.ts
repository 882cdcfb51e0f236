import { formatRef } from '../model/format.ts';
import type { Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import type { Target } from '../targets/target.ts';
import type { AttachContext } from './attach-context.ts';
import { unattached } from './attachment-issue.ts';

/** Attaches a policy to a permitted target, unless another controller manages the target (T-22). */
export function attachmentTo(
  declaration: Pick<Attachment, 'declared' | 'via'>,
  target: Target,
  { locator, ref, kind, issues }: Pick<AttachContext, 'locator' | 'ref' | 'kind' | 'issues'>,
): Attachment {
  const { declared, via } = declaration;
  const isManaged = kind.manages === undefined || readSafely(locator, issues, () => [kind.manages?.(target)])[0];
  if (!isManaged) {
    const asked = `${via === 'policyRef' ? 'is named by' : 'targets'} ${formatRef(target.ref)}`;
    return unattached(declaration, 'ManagedElsewhere', { asked, ref: target.ref }, kind);
  }
  const isAbroad = target.namespaceName !== undefined && target.namespaceName !== ref.namespace;
  if (kind.crossNamespace !== 'consumer' || !isAbroad || ref.namespace === undefined) {
    return { declared, via, outcome: 'Attached', target };
  }
  return { declared, via, outcome: 'Attached', target, consumerNamespace: ref.namespace };
}
