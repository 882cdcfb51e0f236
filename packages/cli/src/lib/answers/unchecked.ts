import type { Verdict } from '@policy-machinery/guarantees';
import { isOfCluster } from '@policy-machinery/resource/inner';
import type { Finding } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';

/**
 * Returns the kinds of policies in files that are read without their CustomResourceDefinition: it is neither in the input nor shipped, so that their
 * fields may be others than the API server keeps.
 */
export function uncheckedKinds({ views }: Pick<World, 'views'>): readonly string[] {
  const unchecked = views.filter(
    (view) =>
      view.found.definedBy === undefined && view.effective.policies.some(({ node }) => !isOfCluster(node.resource)),
  );
  return unchecked.map((view) => view.found.kind.kind);
}

/** Says once which kinds are not checked against a schema, so that silence about them is not taken for a verdict. */
export function uncheckedFindings(world: World): readonly Finding[] {
  const kinds = uncheckedKinds(world);
  if (kinds.length === 0) return [];
  const definitions = kinds.length === 1 ? 'its CustomResourceDefinition is' : 'their CustomResourceDefinitions are';
  const message = `the fields of ${firstOf(kinds)} are not checked, because ${definitions} not in this input; add the definitions`;
  return [{ code: 'not-checked', severity: 'note', message }];
}

/** Returns the assumptions of a verdict about kinds that are not checked against a schema, in clauses. */
export function definitionAssumptions({ guarantee, kinds }: Verdict, world: World): readonly string[] {
  const named = new Set(kinds.map((name) => name.split('.', 1)[0]));
  return uncheckedKinds(world)
    .filter((kind) => guarantee.about === 'policies' || named.has(kind))
    .map(
      (kind) =>
        `that the CustomResourceDefinition of ${kind}, which is not in this input, has the fields of its objects`,
    );
}
