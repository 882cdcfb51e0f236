import { assumedNotes } from '../answers/explain-input.ts';
import { changeAnswer } from '../changes/change-answer.ts';
import { checkChanges } from '../changes/check-changes.ts';
import { compareSides } from '../changes/compare.ts';
import { guaranteeChanges } from '../changes/guarantee-changes.ts';
import { readSides, revisionsOf } from '../changes/read-sides.ts';
import { requestChanges } from '../changes/request-changes.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';

/** Answers how each target changes between two sets of manifests: two folders or two revisions. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { options } = request;
  const comparison = await compareSides(await readSides(inputs, request), options);
  const revisions = await revisionsOf(request);
  const base = options.base ?? revisions?.from;
  const { changes: guarantees, opened } = await guaranteeChanges(comparison, options, inputs, base);
  const checks = await checkChanges(comparison, options, inputs, { base, revisions });
  const requests = { differing: requestChanges(comparison, options), opened };
  const changes = changeAnswer(comparison, request, guarantees, checks, requests);
  const notRendered = unrenderedText(comparison.after.unrendered);
  const about = notRendered === '' ? [] : [notRendered];
  return { ...changes, notes: [...assumedNotes(comparison.after.assumed), ...about, ...comparison.notes] };
}
