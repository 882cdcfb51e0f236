import { createDocumentMemory } from '@policy-machinery/resource/manifests';
import { answerTo, type Question } from '../src/answer.ts';

/** A question with its number, which the answer repeats. */
export interface Asked extends Question {
  readonly number: number;
}

/** The documents of the last questions, so that an edit costs what it changes. */
const memory = createDocumentMemory();

/** Settles with the answer to the last question. Questions are answered one by one, in their order. */
let last = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  last = last.then(async () => postMessage({ ...(await answerTo(data, new Date(), memory)), number: data.number }));
});
