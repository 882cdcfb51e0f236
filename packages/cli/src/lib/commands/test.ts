import { re2 } from '@policy-machinery/cel/re2';
import { onlyNamespace } from '../input/only.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { UsageError } from '../model/usage-error.ts';
import type { PolicyTestCase } from '../testing/case.ts';
import { casesIn } from '../testing/cases-in.ts';
import { evaluate } from '../testing/evaluate.ts';
import { type FileResult, testAnswer } from '../testing/test-answer.ts';
import { readTestFiles, type TestFile } from '../testing/test-file.ts';
import { updateTestFile } from '../testing/update.ts';

/** Runs the tests in a folder: compares their expected values of policies with the computed values. */
export async function answer({ read }: Inputs, { args, options, colors }: Request): Promise<Answer> {
  const [path = '.', ...more] = args;
  if (more.length > 0) throw new UsageError(`"${more.join(' ')}" is unexpected after the folder; remove it`);
  const { run, update = false, allowParent = false, requireTests = false, base } = options;
  if (update && base !== undefined)
    throw new UsageError('--update writes tests, and --base reads the tests of a revision; use one of them');
  const isMeant = nameFilter(run);
  const only = options.only && onlyNamespace(options.only);
  const files = await readTestFiles({ path, allowParent, base });
  if (files.length === 0 && requireTests) throw new UsageError(`found no *.policy-test.yaml files in ${path}`);
  const runFile = async (file: TestFile): Promise<FileResult> => {
    const { only: _only, ...own } = options;
    const world = await read({ ...own, filename: file.resources, recursive: true });
    return {
      file,
      results: casesIn(file.cases, only, options.namespace)
        .filter(isMeant)
        .flatMap((each) => evaluate(world, each)),
    };
  };
  const results: FileResult[] = [];
  for (const file of files) {
    const first = await runFile(file);
    const isUpdated = update && (await updateTestFile(file, first.results)) > 0;
    const [again] = isUpdated ? await readTestFiles({ path: file.source, allowParent: true }) : [];
    results.push(again === undefined ? first : await runFile(again));
  }
  return testAnswer(results, colors, options.strict);
}

function nameFilter(run: string | undefined): (testCase: PolicyTestCase) => boolean {
  if (run === undefined) return () => true;
  try {
    const { matches } = re2(run);
    return ({ name }) => matches(name) !== false;
  } catch {
    throw new UsageError(`--run ${run} is not a regular expression`);
  }
}
