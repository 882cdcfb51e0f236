import type { ObjectWrite } from '@policy-machinery/cluster';
import { setConditionsInStatus, truncateMessage } from '@policy-machinery/conditions';
import type { Verdict } from '@policy-machinery/guarantees';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import {
  type Issue,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  objectsIn,
  refOf,
} from '@policy-machinery/resource';
import type { GuaranteeLibrary } from './guarantee-library.ts';

/** The functions that put a verdict into words. */
type Formatters = Pick<GuaranteeLibrary, 'formatCounterexample' | 'formatHidden'>;

/** The condition of a guarantee, without the fields that depend on the object. */
export interface HoldsCondition {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The most requests that a message shows. */
const mostShown = 5;

/** Returns the condition `Holds` of a guarantee that was verified. */
export function conditionOf(verdict: Verdict, { formatCounterexample, formatHidden }: Formatters): HoldsCondition {
  const { answer, classes, guarantee } = verdict;
  if (answer === 'undecided') {
    return { status: 'Unknown', reason: 'Undecided', message: sentences(formatHidden(verdict)) };
  }
  if (answer === 'broken') {
    const shown = [
      ...verdict.counterexamples.map((each) => formatCounterexample(verdict, each)),
      ...verdict.policies.map(({ policy }) => `${policy} does not keep it`),
    ];
    return { status: 'False', reason: 'Broken', message: sentences(shown) };
  }
  const what = guarantee.about === 'policies' ? ['policy', 'policies'] : ['class of requests', 'classes of requests'];
  return {
    status: 'True',
    reason: 'HoldsForAll',
    message: `It is about ${classes} ${what[classes === 1 ? 0 : 1]}, and holds for all.`,
  };
}

/** Returns the condition `Holds` of a guarantee that cannot be verified. */
export function conditionOfFaulty(issues: readonly Issue[]): HoldsCondition {
  const said = issues.map(({ pointer, message }) => (pointer === undefined ? message : `${pointer}: ${message}`));
  return { status: 'Unknown', reason: 'Invalid', message: sentences(said) };
}

function sentences(texts: readonly string[]): string {
  const more = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).map((text) => (text.endsWith('.') ? text : `${text}.`));
  return truncateMessage([...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '));
}

/**
 * Returns the write of a guarantee's condition.
 *
 * @param object The object as the cluster has it.
 * @param now The time for a transition.
 * @returns The write; `undefined` if the object has this condition already.
 */
export function statusWriteFor(
  object: KubernetesObject,
  condition: HoldsCondition,
  now: Date,
): ObjectWrite | undefined {
  const { generation, uid, resourceVersion } = object.metadata;
  const observedGeneration = typeof generation === 'number' ? generation : 0;
  const { status } = setConditionsInStatus(object.status, [{ type: 'Holds', ...condition }], {
    now,
    observedGeneration,
  });
  if (status === object.status) return undefined;
  // Other conditions may belong to other managers.
  const conditions = objectsIn(status.conditions).filter(({ type }) => type === 'Holds');
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  const apply: JsonObject = {
    apiVersion: `${guaranteeKind.group}/${guaranteeKind.version}`,
    kind: guaranteeKind.kind,
    metadata: { name: object.metadata.name, ...(uid === undefined ? {} : { uid }), ...version },
    status: { conditions },
  };
  const guard =
    resourceVersion === undefined ? [] : [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }];
  return {
    ref: refOf(object, guaranteeKind.scope),
    locator: locatorOf(object, guaranteeKind.scope),
    subresource: 'status',
    patch: [...guard, { op: 'add', path: '/status', value: status }],
    apply,
  };
}
