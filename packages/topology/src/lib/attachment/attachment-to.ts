import type { KubernetesObject } from '@policy-machinery/resource';
import { formatRef } from '../model/format.ts';
import type { Attachment, FindObject } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import type { Target } from '../targets/target.ts';
import type { AttachContext } from './attach-context.ts';
import { type Sought, unattached } from './attachment-issue.ts';

/** Attaches a policy to a permitted target, unless another controller manages the target. */
export function attachmentTo(
  declaration: Pick<Attachment, 'declared' | 'via'>,
  target: Target,
  policy: Pick<AttachContext, 'locator' | 'ref' | 'resource' | 'kind' | 'issues' | 'lookup'>,
): Attachment {
  const { locator, ref, kind, issues } = policy;
  const { declared, via } = declaration;
  const asked = `${via === 'policyRef' ? 'is named by' : 'targets'} ${formatRef(target.ref)}`;
  const isManaged = kind.manages === undefined || readSafely(locator, issues, () => [kind.manages?.(target)])[0];
  if (!isManaged) {
    return unattached(declaration, 'ManagedElsewhere', { asked, ref: target.ref }, kind);
  }
  const refused = refusalOf(target, policy);
  if (refused !== undefined) {
    return unattached(declaration, 'UnsupportedTarget', { asked, ref: target.ref, ...refused }, kind);
  }
  const isAbroad = target.namespaceName !== undefined && target.namespaceName !== ref.namespace;
  if (kind.crossNamespace !== 'consumer' || !isAbroad || ref.namespace === undefined) {
    return { declared, via, outcome: 'Attached', target };
  }
  return { declared, via, outcome: 'Attached', target, consumerNamespace: ref.namespace };
}

/** Returns why a policy does not affect a target, or which deciding objects may be missing from the input; `undefined` if it affects the target. */
function refusalOf(
  { object, section }: Target,
  {
    locator,
    resource,
    kind,
    issues,
    lookup,
  }: Pick<AttachContext, 'locator' | 'resource' | 'kind' | 'issues' | 'lookup'>,
): Pick<Sought, 'refusal' | 'remedy' | 'dependsOn' | 'isUndecided'> | undefined {
  if (kind.refuses === undefined) return undefined;
  const missing: string[] = [];
  const findGiven: (...of: Parameters<FindObject>) => KubernetesObject | undefined = (ref, isOptional) => {
    const object = lookup.findObject(ref);
    if (object === undefined && !isOptional && !lookup.isComplete(ref, ref.namespace, ref.name))
      missing.push(formatRef(ref));
    return object;
  };
  const find: FindObject = Object.assign(findGiven, { referrers: lookup.findObject.referrers });
  const [reading = { refusal: 'for which its kind fails; correct the resource' }] = readSafely(locator, issues, () => [
    { refusal: kind.refuses?.(object.resource, find, section?.name, resource) },
  ]);
  const [dependsOn] = missing;
  if (dependsOn !== undefined) return { dependsOn, isUndecided: true };
  const { refusal } = reading;
  if (refusal === undefined) return undefined;
  if (typeof refusal === 'string') return { refusal };
  return { refusal: refusal.undecided, remedy: refusal.remedy, isUndecided: true };
}
