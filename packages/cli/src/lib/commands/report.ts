import { reportPage } from '@policy-machinery/report';
import { findingsIn } from '../answers/issues.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import { notDrawn } from './graph.ts';

/** Answers with one HTML page that answers questions about targets, policies and requests, and needs no server. */
export function answer(world: World, { now, options }: Request): Answer {
  const { topology, views, scope } = world;
  const own = views.filter(({ effective }) => effective.topology === topology);
  const merged = own.filter(({ found }) => found.merging === 'known').map(({ effective }) => effective);
  const issues = findingsIn(world).flatMap(({ severity, ...issue }) =>
    severity === 'note' ? [] : [{ ...issue, severity }],
  );
  const title = scope.namespace === undefined ? 'Policies' : `Policies of ${scope.namespace}`;
  return {
    document: { kind: 'Report' },
    sections: [],
    texts: {
      html: () => reportPage({ topology, views: merged, issues, title, notes: aboutInput(world, options), now }),
    },
    notes: notDrawn(world),
  };
}

/** Says where the objects are from, and what could not be read. */
function aboutInput(
  { source, gaps, unrendered }: World,
  { filename = [], kustomize, context }: Options,
): readonly string[] {
  const files = [...filename, ...(kustomize === undefined ? [] : [`kubectl kustomize ${kustomize}`])].join(', ');
  const cluster =
    context === undefined ? 'The cluster of the current context' : `The cluster of the context ${context}`;
  const notRendered = unrenderedText(unrendered);
  return [
    `${source === undefined ? `Files: ${files}` : `${cluster}${files === '' ? '' : `, with ${files} applied`}`}.`,
    ...gaps.map((gap) => `Incomplete: ${gap}.`),
    ...(notRendered === '' ? [] : [notRendered]),
  ];
}
