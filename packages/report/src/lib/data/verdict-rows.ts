import { type Counterexample, formatCounterexample, formatHidden, type Verdict } from '@policy-machinery/guarantees';
import { httpRequestOf, urlOf } from '@policy-machinery/guarantees/inner';
import type { Names } from './names.ts';
import type { ShownRow, VerdictRow } from './report-data.ts';

/** The answers, those that people must look at first. */
const order: readonly Verdict['answer'][] = ['broken', 'undecided', 'holds'];

/** Returns the rows of verdicts: broken guarantees first. */
export function verdictRows(verdicts: readonly Verdict[], names: Names): readonly VerdictRow[] {
  return [...verdicts]
    .sort((a, b) => order.indexOf(a.answer) - order.indexOf(b.answer))
    .map((verdict) => {
      const { guarantee, answer } = verdict;
      const meaning = guarantee.description ?? guarantee.holds;
      return [names.text(guarantee.name), names.text(meaning), names.text(answer), shownBy(verdict, names)];
    });
}

function shownBy(verdict: Verdict, names: Names): readonly ShownRow[] {
  const { answer, classes, counterexamples, policies, guarantee } = verdict;
  const plain = (text: string): ShownRow => [names.text(text), -1];
  if (answer === 'undecided') return formatHidden(verdict).map(plain);
  if (answer === 'broken') {
    return [
      ...counterexamples.map((example): ShownRow => {
        const question = questionOf(example);
        const sentence = names.text(formatCounterexample(verdict, example));
        return [sentence, question === undefined ? -1 : names.text(question)];
      }),
      ...policies.map(({ policy }) => plain(`${policy} does not keep it`)),
    ];
  }
  const [singular, plural] =
    guarantee.about === 'policies' ? ['policy', 'policies'] : ['class of requests', 'classes of requests'];
  return [plain(`for ${classes} ${classes === 1 ? singular : plural}`)];
}

/** Returns the question to the page about the request of a counterexample; `undefined` for one that the page cannot ask. */
function questionOf(example: Counterexample): string | undefined {
  const { request, contender } = example;
  const url = urlOf(example);
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  if (!url.startsWith('http') || contender.entry.client !== undefined || headers.some((it) => it.includes('"'))) {
    return undefined;
  }
  const { method = 'GET' } = httpRequestOf(request, contender.entry);
  return [method, url, ...headers.map((it) => `-H "${it}"`)].join(' ');
}
