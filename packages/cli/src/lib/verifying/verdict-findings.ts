import { type Counterexample, formatCounterexample, type Verdict } from '@policy-machinery/guarantees';
import { causingPolicy, locatorOfGuarantee } from '@policy-machinery/guarantees/inner';
import type { Issue } from '@policy-machinery/resource';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import type { GuaranteeSource } from './read-guarantees.ts';
import { failureOf, failureTexts } from './verdict-failure.ts';

/**
 * Returns verdicts as findings: an error for each cause that breaks a guarantee, at the place of the cause, and one for each
 * guarantee that is undecided or about nothing. With `allowUndecided`, an undecided guarantee is a warning.
 *
 * @param world The world, which knows positions.
 * @param source The guarantees, with their positions. Causes without a position in a file have the guarantee's position.
 */
export function verdictFindings(
  verdicts: readonly Verdict[],
  world: Pick<World, 'locate'>,
  source: Pick<GuaranteeSource, 'locate'>,
  options: Pick<Options, 'allowUndecided'>,
): readonly Issue[] {
  return verdicts.flatMap((verdict): readonly Issue[] => {
    const { guarantee, answer } = verdict;
    const own = { resource: locatorOfGuarantee(guarantee), pointer: '/spec/holds' };
    const located = (severity: 'error' | 'warning', text: string, place: FindingPlace): Issue => {
      const code = answer === 'holds' ? 'guarantee-empty' : (`guarantee-${answer}` as const);
      const finding = { code, severity, message: `${guarantee.name}: ${text}`, ...place };
      const position = world.locate(finding).position ?? source.locate({ ...finding, ...own }).position;
      return position === undefined ? finding : { ...finding, position };
    };
    const failure = failureOf(verdict, options);
    if (answer === 'holds' && failure === undefined) return [];
    if (answer !== 'broken')
      return [located(failure === undefined ? 'warning' : 'error', failureTexts(verdict).join('; '), own)];
    return [
      ...verdict.counterexamples.map((each) => located('error', formatCounterexample(verdict, each), placeOf(each))),
      ...verdict.policies.map(({ policy, kind, why }) =>
        located('error', `${kind} does not keep it${why === undefined ? '' : `: ${why}`}`, { resource: policy }),
      ),
    ];
  });
}

type FindingPlace = Pick<Issue, 'resource' | 'pointer'>;

/** Returns where the policy is written that causes a counterexample; without one, the target: a section in its list. */
function placeOf(example: Counterexample): FindingPlace {
  const policy = causingPolicy(example);
  const [concern, ...others] = new Set([...example.concerns.values()].flatMap(({ by }) => by ?? []));
  const cause = policy?.locator ?? (others.length === 0 ? concern : undefined);
  if (cause !== undefined) return { resource: cause };
  const { object, section } = example.cause;
  if (section === undefined) return { resource: object.locator };
  const list = object.ref.kind.endsWith('Route') ? 'rules' : 'listeners';
  return { resource: object.locator, pointer: `/spec/${list}/${object.sections.indexOf(example.cause)}` };
}
