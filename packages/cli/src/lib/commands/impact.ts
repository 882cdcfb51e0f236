import { locatorOf } from '@policy-machinery/resource';
import { assumedNotes } from '../answers/explain-input.ts';
import { changeAnswer } from '../changes/change-answer.ts';
import { compareSides } from '../changes/compare.ts';
import { guaranteeChanges } from '../changes/guarantee-changes.ts';
import type { FileReading } from '../input/files/file-reading.ts';
import { readFiles } from '../input/files/files.ts';
import { inNamespace, type Placing } from '../input/files/in-namespace.ts';
import { overlay } from '../input/files/overlay.ts';
import { placedAlike } from '../input/gitops/placed-alike.ts';
import type { Answer } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { bothUnrendered } from '../model/unrendered.ts';
import { UsageError } from '../model/usage-error.ts';
import type { ClusterSource, World } from '../model/world.ts';
import { findObject } from '../names/find.ts';

/** Answers how each target would change if files were applied or objects deleted, on the cluster or in files that describe one. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { options, programName } = request;
  const { filename, kustomize, remove = [], against, only: _only, ...rest } = options;
  const files = await readFiles(
    {
      filename: filename ?? [],
      ...(kustomize === undefined ? {} : { kustomize }),
      ...(rest.exclude === undefined ? {} : { exclude: rest.exclude }),
      recursive: true,
    },
    inputs,
  );
  if (files === undefined && remove.length === 0) {
    throw new UsageError(
      `name the change, such as "${programName} impact -f retry.yaml" or "${programName} impact --remove retrypolicy/house-rules"`,
    );
  }
  const world = await inputs.read(against === undefined ? rest : { ...rest, filename: against, recursive: true });
  const change = files === undefined ? undefined : placedBy(world, files);
  const removed = new Set(remove.map((name) => locatorOf(findObject(world, [name]))));
  const kept = world.objects.filter((object) => !removed.has(locatorOf(object)));
  const after = change === undefined ? kept : overlay(kept, change.objects);
  const { objects, locate: locateBefore, unrendered } = world;
  const before = { objects, locate: locateBefore, issues: [], unrendered };
  const locate = (issue: Parameters<World['locate']>[0]) => {
    const changed = change?.locate(issue);
    return changed?.position === undefined ? world.locate(issue) : changed;
  };
  const side = {
    objects: after,
    locate,
    issues: change?.issues ?? [],
    unrendered: change === undefined ? unrendered : bothUnrendered(unrendered, change.unrendered),
  };
  const comparison = await compareSides([before, side], options, world.isComplete);
  const { changes: guarantees } = await guaranteeChanges(comparison, options, inputs);
  const changes = changeAnswer(comparison, request, guarantees, []);
  return { ...changes, notes: [...assumedNotes(comparison.after.assumed, world.assumed), ...comparison.notes] };
}

/** Puts objects without a namespace where the cluster does, or where the renderers of the files do. */
function placedBy(world: World, files: FileReading): FileReading {
  return world.source === undefined ? placedAlike(world, files) : inNamespace(files, namespaceOf(world.source));
}

/** Returns where the cluster puts objects without a namespace. */
function namespaceOf({ kinds, namespace }: ClusterSource): Placing {
  return { kinds: kinds.filter(({ namespaced }) => namespaced), namespace };
}
