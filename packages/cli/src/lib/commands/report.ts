import { reportPage } from '@policy-machinery/report';
import { findingsIn } from '../answers/issues.ts';
import type { Answer } from '../frame/answer.ts';
import type { Request } from '../frame/command.ts';
import type { World } from '../input/world.ts';
import { notDrawn } from './graph.ts';

/** Answers with one HTML page that answers questions about targets, policies and requests, and needs no server. */
export function answer(world: World, { now }: Request): Answer {
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
    texts: { html: () => reportPage({ topology, views: merged, issues, title, now }) },
    notes: notDrawn(world),
  };
}
