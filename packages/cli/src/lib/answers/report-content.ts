import type { ReportOptions } from '@policy-machinery/report';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Finding } from '../model/answer.ts';
import { pageOfCode } from '../model/finding-codes.ts';
import type { Options } from '../model/flags.ts';
import type { PageGuarantees } from '../model/page-guarantees.ts';
import { repositoryUrl } from '../model/version.ts';
import type { World } from '../model/world.ts';
import { findingsIn } from './issues.ts';
import { type AboutRequests, LaggingAnswers } from './lagging-answers.ts';
import { withSuggestions } from './suggestions.ts';

/**
 * Returns the content of the page about a world.
 *
 * @param options Where the objects are from.
 * @param guarantees Facts about guarantees.
 * @param aboutRequests The answers that depend on all requests. Default: they are computed.
 * @param findings The findings in the world. Default: these are searched.
 */
export function reportContent(
  world: World,
  options: Options,
  now: Date,
  guarantees: PageGuarantees,
  aboutRequests: AboutRequests = new LaggingAnswers().of(world),
  findings: readonly Finding[] = findingsIn(world, aboutRequests.findings),
): ReportOptions {
  const { topology, views } = world;
  const own = views.filter(({ effective }) => effective.topology === topology);
  const merged = own.filter(({ found }) => found.merging === 'known').map(({ effective }) => effective);
  const issues = [...guarantees.issues, ...withSuggestions(world, findings)].flatMap(({ severity, ...issue }) =>
    severity === 'note' ? [] : [{ ...issue, severity }],
  );
  const { namespace } = world.scope;
  const notes = [...aboutInput(world, options), ...guarantees.notes];
  const { verdicts } = guarantees;
  const { coverage, outcomes } = aboutRequests;
  const secrets = new Map(own.map((view) => [view.found.kind, view.secrets]));
  const secretsOf: ReportOptions['secretsOf'] = (kind) => secrets.get(kind);
  return {
    topology,
    views: merged,
    secretsOf,
    issues,
    pageOfCode: (code) => pageOfCode(code, repositoryUrl),
    title: titleOf(world),
    namespace,
    notes,
    verdicts,
    coverage,
    outcomes,
    now,
  };
}

export function titleOf({ scope: { namespace } }: Pick<World, 'scope'>): string {
  return namespace === undefined ? 'Policies' : `Policies of ${namespace}`;
}

/** Describes the source of the objects, and the parts that could not be read. */
function aboutInput(
  { source, gaps, unrendered }: World,
  { filename = [], kustomize, context }: Options,
): readonly string[] {
  const named = filename.map((name) => (name === '-' ? 'standard input' : name));
  const files = [...named, ...(kustomize === undefined ? [] : [`kubectl kustomize ${kustomize}`])].join(', ');
  const cluster =
    context === undefined ? 'The cluster of the current context' : `The cluster of the context ${context}`;
  const notRendered = unrenderedText(unrendered);
  return [
    `${source === undefined ? `Files: ${files}` : `${cluster}${files === '' ? '' : `, with ${files} applied`}`}.`,
    ...gaps.map((gap) => `Incomplete: ${gap}.`),
    ...(notRendered === '' ? [] : [notRendered]),
  ];
}
