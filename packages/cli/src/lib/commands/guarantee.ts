import type { Guarantee } from '@policy-machinery/guarantees';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { UsageError } from '../model/usage-error.ts';
import { findTarget } from '../names/find.ts';
import { everyRequestMeets } from '../verifying/every.ts';
import { guaranteeTemplate } from '../verifying/guarantee-template.ts';
import { notUsable } from '../verifying/read-guarantees.ts';
import { readyGuarantee, readyGuarantees } from '../verifying/ready-guarantees.ts';
import { unmatchedSelectors } from '../verifying/unmatched-selectors.ts';
import { verifiedKinds } from '../verifying/verified-kinds.ts';
import { verifyWorld } from '../verifying/verify-world.ts';

/** Answers with a guarantee as YAML, or with the guarantees that are available by name. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const [action, ...args] = request.args;
  if (action === 'list') return listAnswer();
  if (action !== 'new') throw new UsageError(`"${action}" is not known; use "guarantee new" or "guarantee list"`);
  return newAnswer(inputs, { ...request, args });
}

function listAnswer(): Answer {
  const ready = Object.entries(readyGuarantees).map(([name, { summary, settings }]) => ({ name, summary, settings }));
  const rows = ready.map(({ name, settings, summary }) => [
    name,
    Object.entries(settings)
      .map(([key, example]) => `${key}=${example}`)
      .join(' '),
    summary,
  ]);
  const columns = ['NAME', 'SETTINGS', 'GUARANTEES'].map((name) => ({ name }));
  return {
    document: { kind: 'GuaranteeTemplateList', items: ready },
    sections: [{ blocks: [{ table: { columns, rows } }] }],
  };
}

async function newAnswer(inputs: Inputs, { args, options, programName }: Request): Promise<Answer> {
  const { every = [], gateway } = options;
  const [name, ...settings] = args;
  const [what, ...more] = every;
  if (more.length > 0 || (name === undefined) === (what === undefined)) {
    throw new UsageError('name one guarantee, such as "guarantee new no-shadowing", or use one --every');
  }
  const world = await inputs.read(options);
  const target = gateway === undefined ? undefined : findTarget(world, ['gateway', gateway]).item.ref;
  const named =
    name === undefined ? everyRequestMeets(what ?? '', verifiedKinds(world), target) : readyGuarantee(name, settings);
  const requests = target && {
    gateways: { namespaces: [target.namespace ?? ''], names: [target.name] },
    ...named.requests,
  };
  const guarantee: Guarantee = { ...named, ...(requests && { requests }) };
  const unmatched = unmatchedSelectors(world, [guarantee]);
  if (unmatched.length > 0) throw notUsable(unmatched);
  const comparing = /\bbefore\b/.test(guarantee.holds);
  const verdicts = verifyWorld(world, { guarantees: [guarantee], locate: (issue) => issue }, world);
  const verify = comparing ? 'diff BEFORE AFTER --guarantees guarantees.yaml' : 'verify -f FOLDER guarantees.yaml';
  const lines = guaranteeTemplate(guarantee, `${programName} ${verify}`).trimEnd().split('\n');
  return {
    document: { kind: 'GuaranteeTemplate', guarantee },
    sections: [{ blocks: [{ lines }] }],
    notes: comparing ? [] : verdicts.map(({ answer }) => `In this input, the answer is ${answer}.`),
  };
}
