import { formatTarget } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../runs.fixture.ts';
import { resources, type World, worldOf } from '../worlds.fixture.ts';
import { OnTheWay } from './on-the-way.ts';
import { answerPolicy } from './policy-answer.ts';
import { answerTarget } from './target-answer.ts';

type Fields = readonly (readonly [pointer: string, value: string, by: readonly string[], over: readonly string[]])[];

/** Returns the fields of a group as the page has them: values, origins and losses. */
function fieldsOf({ report }: World, view: number, group: number): Fields {
  const data = report.data.views[view];
  const policyOf = (layer: number) => report.policy(data?.layers[layer]?.[0] ?? -1).name;
  const textOf = (place: number) => (place === -1 ? 'none' : report.text(place));
  const [places = []] = data?.groups[group] ?? [];
  return places.map((place) => {
    const [pointer, value, by, over] = data?.fields[place] ?? [0, -1, [], []];
    const lost = over.map((loss) => {
      const [was, layer] = data?.losses[loss] ?? [-1, -1];
      return `${textOf(was)} of ${policyOf(layer)}`;
    });
    return [report.text(pointer), textOf(value), by.map(policyOf), [...new Set(lost)]] as const;
  });
}

const asText = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

describe('the answer for a target', () => {
  it('agrees with the effective policy on each way: values, origins and losses', () => {
    fc.assert(
      fc.property(resources, (some) => {
        const world = worldOf(some);
        const onTheWay = new OnTheWay(world.report);
        for (const [view, effective] of world.views.entries()) {
          for (const target of effective.targets) {
            const node = world.report.nodes.find(({ label }) => label === formatTarget(target));
            if (node === undefined) throw new Error(`${target.locator} is missing`);
            const answer = answerTarget(world.report, node, onTheWay).find((it) => it.view === view);
            const expected = effective
              .of(target)
              .map(
                ({ fields }): Fields =>
                  fields.map(({ pointer, value, by, over }) => [
                    pointer,
                    asText(value),
                    by.map(({ policy }) => policy.name),
                    [...new Set(over.map((loss) => `${asText(loss.value)} of ${loss.layer.policy.name}`))],
                  ]),
              );
            const cards = (answer?.cards ?? []).filter(({ group }) => group >= 0);
            expect(cards.map(({ group }) => fieldsOf(world, view, group))).toEqual(expected);
            const paths =
              answer === undefined
                ? 0n
                : answer.cards.reduce((sum, { ways, more }) => sum + more + BigInt(Math.max(ways.length, 1)), 0n);
            const all = [...effective.of(target), ...effective.uncovered(target)];
            if (expected.length > 0) expect(paths).toBe(all.reduce((sum, { pathCount }) => sum + pathCount, 0n));
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('counts effective policies below targets that are not effective targets', () => {
    fc.assert(
      fc.property(resources, (some) => {
        const world = worldOf(some);
        const onTheWay = new OnTheWay(world.report);
        for (const [view, effective] of world.views.entries()) {
          for (const node of world.report.nodes.filter(({ kind }) => kind === 'Gateway')) {
            const target = [...world.topology.targets].find((it) => formatTarget(it) === node.label);
            if (target === undefined) throw new Error(`${node.label} is missing`);
            const answer = answerTarget(world.report, node, onTheWay).find((it) => it.view === view);
            if (effective.of(target).length > 0 || (answer?.sections.length ?? 0) > 0) continue;
            const counted = (answer?.below ?? []).reduce((sum, { count }) => sum + count, 0);
            expect(counted).toBe(effective.explain(target).effective.length);
            for (const { targets } of answer?.below ?? []) expect(targets.length).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the answer for a policy', () => {
  it('has the outcome of the policy at each target that it affects', () => {
    fc.assert(
      fc.property(resources, (some) => {
        const { report, views } = worldOf(some);
        for (const { id, name, kind } of report.policies) {
          const view = views.find((it) => it.kind.kind === kind);
          const locator =
            view?.policies.find(
              ({ node }) => `${node.resource.metadata.namespace}/${node.resource.metadata.name}` === name,
            )?.node.locator ?? '';
          const expected = (view?.reach(locator) ?? []).map(
            ({ effective, outcome }) => `${formatTarget(effective.target)} ${outcome}`,
          );
          const answered = answerPolicy(report, id).flatMap(({ outcome, targets }) =>
            targets.map((target) => `${report.node(target).label} ${outcome}`),
          );
          expect(answered.sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
