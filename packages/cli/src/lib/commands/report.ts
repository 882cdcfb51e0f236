import { reportPage } from '@policy-machinery/report';
import { reportContent } from '../answers/report-content.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { World } from '../model/world.ts';
import { guarantees } from '../verifying/guarantee-resources.ts';
import { PageVerdicts } from '../verifying/page-verdicts.ts';
import { notDrawn } from './graph.ts';

export const also = [guarantees];

/** Answers with one HTML page that answers questions about targets, policies and requests, and needs no server. */
export function answer(world: World, { now, options }: Request): Answer {
  return {
    document: { kind: 'Report' },
    sections: [],
    texts: { html: () => reportPage(reportContent(world, options, now, new PageVerdicts().of(world))) },
    notes: notDrawn(world),
  };
}
