import { addedVerdicts } from '@policy-machinery/guarantees';
import { emptinessOf } from '../answers/emptiness.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import type { Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';
import { everyRequestMeets } from '../verifying/every.ts';
import { guarantees } from '../verifying/guarantee-resources.ts';
import { type GuaranteeSource, guaranteesIn, notUsable, readGuarantees } from '../verifying/read-guarantees.ts';
import { unmatchedSelectors, unusedEntries } from '../verifying/unmatched-selectors.ts';
import { verifiedKinds } from '../verifying/verified-kinds.ts';
import { verifyAnswer } from '../verifying/verify-answer.ts';
import { verifyWorld } from '../verifying/verify-world.ts';

/** Returns the guarantees of `--every` and of files; without both, the guarantees in the input. */
function sourceOf(world: World, named: GuaranteeSource | undefined, { every = [], gateway }: Options): GuaranteeSource {
  if (every.length === 0) {
    if (gateway !== undefined) throw new UsageError('--gateway is about --every; in a file, use "requests.gateways"');
    return named ?? guaranteesIn(world);
  }
  const kinds = verifiedKinds(world);
  const at = gateway === undefined ? undefined : findTarget(world, ['gateway', gateway]).item.ref;
  const own = every.map((each) => everyRequestMeets(each, kinds, at));
  return { guarantees: [...(named?.guarantees ?? []), ...own], locate: named?.locate ?? ((issue) => issue) };
}

/** Answers whether guarantees hold for every request: guarantees of files, or of the input. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { args, options } = request;
  const named = args.length === 0 ? undefined : await readGuarantees(args, inputs, options.base);
  const world = await inputs.read(options, named === undefined ? [guarantees] : []);
  const empty = emptinessOf(world);
  if (empty?.what === 'input') throw new UsageError(empty.message);
  const source = sourceOf(world, named, options);
  const unmatched = unmatchedSelectors(world, source.guarantees);
  if (unmatched.length > 0) throw notUsable(unmatched.map(source.locate));
  const { baseline, kustomize: _rendered, ...others } = options;
  const before =
    baseline === undefined ? undefined : await inputs.read({ ...others, filename: [baseline], recursive: true });
  const verdicts = verifyWorld(world, source, before);
  const unused = unusedEntries(world, verdicts, before);
  if (unused.length > 0) throw notUsable(unused.map(source.locate));
  const added = before === undefined ? verdicts : addedVerdicts(verifyWorld(before, source, before), verdicts);
  return verifyAnswer(added, world, source, request);
}
