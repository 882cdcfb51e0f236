import { answerTo, type Question } from '../src/answer.ts';

/** A question with its number, which the answer repeats. */
export interface Asked extends Question {
  readonly number: number;
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  postMessage({ ...answerTo(data, new Date()), number: data.number });
});
