import { formatCounterexample, formatHidden, locatorOfGuarantee, type Verdict } from '@policy-machinery/guarantees';
import type { TargetNode } from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';
import type { GuaranteeSource } from './read-guarantees.ts';

/**
 * Returns verdicts as findings: an error for each cause for which a guarantee is broken, at the place of the cause, and a warning for each
 * guarantee that is undecided.
 *
 * @param verdicts The verdicts.
 * @param world The world, which knows positions.
 * @param source The guarantees, with their positions. Causes without a position in a file have the guarantee's position.
 */
export function verdictFindings(
  verdicts: readonly Verdict[],
  world: World,
  source: GuaranteeSource,
): readonly Finding[] {
  return verdicts.flatMap((verdict): readonly Finding[] => {
    const { guarantee, answer } = verdict;
    const own = { resource: locatorOfGuarantee(guarantee), pointer: '/spec/holds' };
    const located = (severity: 'error' | 'warning', text: string, place: Place): Finding => {
      const finding = { code: `guarantee-${answer}`, severity, message: `${guarantee.name}: ${text}`, ...place };
      const position = world.locate(finding).position ?? source.locate({ ...finding, ...own }).position;
      return position === undefined ? finding : { ...finding, position };
    };
    if (answer === 'holds') return [];
    if (answer === 'undecided') return [located('warning', formatHidden(verdict).join('; '), own)];
    return [
      ...verdict.counterexamples.map((each) =>
        located('error', formatCounterexample(verdict, each), placeOf(each.cause)),
      ),
      ...verdict.policies.map(({ policy, kind, why }) =>
        located('error', `${kind} does not keep it${why === undefined ? '' : `: ${why}`}`, { resource: policy }),
      ),
    ];
  });
}

type Place = Pick<Finding, 'resource' | 'pointer'>;

/** Returns where a target is written: a section in its list. */
function placeOf(target: TargetNode): Place {
  const { object, section } = target;
  if (section === undefined) return { resource: object.locator };
  const list = object.ref.kind.endsWith('Route') ? 'rules' : 'listeners';
  return { resource: object.locator, pointer: `/spec/${list}/${object.sections.indexOf(target)}` };
}
