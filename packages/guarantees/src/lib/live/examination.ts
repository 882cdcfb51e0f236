import type { Reaches } from '../requests/reaches.ts';
import type { Vocabulary } from '../requests/vocabulary.ts';
import type { Judge } from '../verify/judge.ts';

/** How matches are examined. */
export interface Examination {
  readonly reaches: Reaches;
  readonly judge: Judge;
  readonly vocabulary: Vocabulary;
}
