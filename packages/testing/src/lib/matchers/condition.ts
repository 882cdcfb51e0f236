import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { formatStatuses } from '@policy-machinery/text';
import { type MatcherContext, type MatcherResult, result } from './result.ts';

/** The lists in a status with entries that have their own conditions. */
const lists = ['ancestors', 'parents', 'listeners'];

/** Checks a condition in the status of an object. Where ancestors, parents or listeners have it, each of them must have it so. */
export function toHaveCondition(
  this: MatcherContext,
  object: KubernetesObject,
  type: string,
  status: string,
  reason?: string,
): MatcherResult {
  const conditions = conditionsIn(object).filter((condition) => condition.type === type);
  const pass =
    conditions.length > 0 &&
    conditions.every((each) => each.status === status && (reason === undefined || each.reason === reason));
  const written = (condition: string, value: unknown, why: unknown) =>
    `${condition}=${value}${why === undefined ? '' : `/${why}`}`;
  return result(
    pass,
    {
      subject: `${object.kind} ${object.metadata.name}`,
      expectation: `to have the condition ${written(type, status, reason)}`,
      explanation: () => formatStatuses([object]) || 'Its status does not have conditions.',
    },
    {
      actual: conditions.map((each) => written(type, each.status, reason === undefined ? undefined : each.reason)),
      expected: [written(type, status, reason)],
    },
  );
}

function conditionsIn({ status }: KubernetesObject): readonly JsonObject[] {
  if (!isJsonObject(status)) return [];
  const entries = lists.flatMap((list) => objectsIn(status[list]));
  return [status, ...entries].flatMap(({ conditions }) => objectsIn(conditions));
}
