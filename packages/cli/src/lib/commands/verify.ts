import { addedVerdicts } from '@policy-machinery/guarantees';
import { emptinessOf } from '../answers/emptiness.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { UsageError } from '../model/usage-error.ts';
import { guarantees } from '../verifying/guarantee-resources.ts';
import { guaranteesIn, notUsable, readGuarantees } from '../verifying/read-guarantees.ts';
import { unmatchedSelectors } from '../verifying/unmatched-selectors.ts';
import { verifyAnswer } from '../verifying/verify-answer.ts';
import { verifyWorld } from '../verifying/verify-world.ts';

/** Answers whether guarantees hold for every request: those of files, or those that are in the input. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { args, options } = request;
  const named = args.length === 0 ? undefined : await readGuarantees(args, inputs, options.base);
  const world = await inputs.read(options, named === undefined ? [guarantees] : []);
  const empty = emptinessOf(world);
  if (empty?.what === 'input') throw new UsageError(empty.message);
  const source = named ?? guaranteesIn(world);
  const unmatched = unmatchedSelectors(world, source.guarantees);
  if (unmatched.length > 0) throw notUsable(unmatched.map(source.locate));
  const verdicts = verifyWorld(world, source);
  const { baseline, kustomize: _rendered, ...others } = options;
  if (baseline === undefined) return verifyAnswer(verdicts, world, source, request);
  const before = await inputs.read({ ...others, filename: [baseline], recursive: true });
  return verifyAnswer(addedVerdicts(verifyWorld(before, source), verdicts), world, source, request);
}
