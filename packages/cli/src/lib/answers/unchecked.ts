import type { Verdict } from '@policy-machinery/guarantees';
import { isOfCluster } from '@policy-machinery/resource/inner';
import type { Finding } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { PolicyView, World } from '../model/world.ts';

/**
 * Returns the kinds of policies in files that are read without their CustomResourceDefinition: it is neither in the input nor shipped, so that their
 * fields may be others than the API server keeps.
 */
export function uncheckedKinds({ views }: Pick<World, 'views'>): readonly string[] {
  const unchecked = views.filter((view) => view.found.definedBy === undefined && hasFiles(view));
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

/** Returns the views that a verdict depends on: of the kinds that its guarantee reads. */
export function viewsRead({ guarantee, kinds }: Verdict, { views }: World): readonly PolicyView[] {
  const named = new Set(kinds.map((name) => name.split('.', 1)[0]));
  return views.filter(({ found: { kind } }) => guarantee.about === 'policies' || named.has(kind.kind));
}

/** Returns the assumptions about definitions that are not in the input, in clauses: kinds have the fields of their objects, or of a release. */
export function definitionAssumptions(views: readonly PolicyView[]): readonly string[] {
  const releases = views.filter(hasFiles).flatMap(({ found: { definedBy } }) => definedBy?.release ?? []);
  return [
    ...uncheckedKinds({ views }).map(
      (kind) =>
        `that the CustomResourceDefinition of ${kind}, which is not in this input, has the fields of its objects`,
    ),
    ...(releases.length === 0 ? [] : [`that policies have the fields of ${firstOf([...new Set(releases)].sort())}`]),
  ];
}

/** Returns whether files have policies of a kind: an API server keeps the fields that its own release has. */
function hasFiles({ effective: { policies } }: PolicyView): boolean {
  return policies.some(({ node }) => !isOfCluster(node.resource));
}
