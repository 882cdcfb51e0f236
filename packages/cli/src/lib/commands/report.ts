import { isGuarantee } from '@policy-machinery/guarantees';
import { reportPage } from '@policy-machinery/report';
import { reportContent } from '../answers/report-content.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { World } from '../model/world.ts';
import { guaranteesIn } from '../verifying/read-guarantees.ts';
import { verifyWorld } from '../verifying/verify-world.ts';
import { notDrawn } from './graph.ts';

/** Answers with one HTML page that answers questions about targets, policies and requests, and needs no server. */
export function answer(world: World, { now, options }: Request): Answer {
  const verdicts = world.objects.some(isGuarantee) ? verifyWorld(world, guaranteesIn(world)) : [];
  return {
    document: { kind: 'Report' },
    sections: [],
    texts: { html: () => reportPage({ ...reportContent(world, options, now), verdicts }) },
    notes: notDrawn(world),
  };
}
