/** That the random worlds reach what they are there for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Loss } from '../lib/reasons/loss.ts';
import { compute, type Spec } from './compute.fixture.ts';
import { expectedPaths } from './oracle/expected-paths.fixture.ts';
import type { Meeting } from './oracle/fold.fixture.ts';
import { type ProfileName, profileRules } from './profiles.fixture.ts';
import { anyRules, mergingRules } from './random-rules.fixture.ts';
import type { Rules } from './rules.fixture.ts';
import { merging } from './strategies.fixture.ts';
import { narrowWorldsBy, type World } from './worlds.fixture.ts';

const seed = 713; // The same worlds each time: this is about the generator.

function worldsOf(rules: fc.Arbitrary<Rules>, numRuns: number): readonly World[] {
  return fc.sample(narrowWorldsBy(rules), { seed, numRuns });
}

/** How often each label was given. */
function tally(labels: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function meetingsIn(world: World): readonly Meeting[] {
  const meetings: Meeting[] = [];
  expectedPaths(world, (meeting) => meetings.push(meeting));
  return meetings;
}

describe('among the random worlds', () => {
  it('every two strategies meet, on one level and on different ones, as defaults and as overrides', () => {
    const counts = tally(
      worldsOf(mergingRules, 2500).flatMap((world) =>
        meetingsIn(world).flatMap(({ established: above, challenger: below, choice }) => {
          const place = above.level === below.level ? 'on one level' : 'on different levels';
          return [
            `${above.strategy} over ${below.strategy} ${place}`,
            `${above.stanza} over ${below.stanza} ${place}`,
            `merged by ${choice.strategy} ${choice.stanza}`,
          ];
        }),
      ),
    );
    const stanzas = ['defaults', 'overrides'];
    const expected = ['on one level', 'on different levels'].flatMap((place) => [
      ...merging.flatMap((above) => merging.map((below) => `${above} over ${below} ${place}`)),
      ...stanzas.flatMap((above) => stanzas.map((below) => `${above} over ${below} ${place}`)),
    ]);
    const mergedBy = merging.flatMap((strategy) => stanzas.map((stanza) => `merged by ${strategy} ${stanza}`));
    expect([...expected, ...mergedBy].filter((label) => !counts.has(label))).toEqual([]);
  });

  it('every value of every option occurs in a world with merges, with every other', () => {
    const options = (rules: Rules): readonly string[] => [
      rules.sameLevel,
      rules.order,
      rules.fold,
      `the ${rules.strategyChooser.by} strategyChooser`,
      `within one object ${rules.withinObject?.stanza ?? 'as elsewhere'}`,
      `an empty challenger ${rules.emptyChallenger}`,
      `empty lists unset: ${rules.emptyListsUnset}`,
      `unset: ${rules.unset}`,
      `conditions: ${rules.conditions}`,
      `result conditions: ${rules.resultConditions}`,
      `own value ${rules.ownValuePrecedence}`,
      rules.dialect.stanzas,
    ];
    const worlds = worldsOf(mergingRules, 1500).filter((world) => meetingsIn(world).length > 0);
    const pairs = worlds.flatMap(({ rules }) => {
      const values = options(rules);
      return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} & ${other}`));
    });
    // How many values each of the 12 options has.
    const sizes = [4, 2, 3, 4, 3, 2, 2, 2, 3, 2, 2, 3];
    const all = sizes.flatMap((size, index) => sizes.slice(index + 1).map((other) => size * other));
    expect(tally(pairs).size).toBe(all.reduce((sum, count) => sum + count));
  });

  it('each rule of a loss, each way of being attached, and each special case occurs', () => {
    const counts = tally(
      worldsOf(anyRules, 500).flatMap((world) =>
        [...compute(world)].flatMap(({ losses, levels, layers, issues }) => [
          ...losses.map(({ rule }: Loss<Spec>) => rule),
          ...levels.map(({ via }) => via),
          ...levels.flatMap(({ rejected }) => (rejected.length > 0 ? ['rejected'] : [])),
          ...issues.map(({ code }) => code),
          ...(new Set(levels.flatMap(({ policies }) => policies)).size <
          levels.reduce((sum, { policies }) => sum + policies.length, 0)
            ? ['a policy met twice']
            : []),
          ...(layers.some(({ pointer }) => pointer === '') ? ['a value of its own'] : []),
          ...(losses.some(({ layer }) => !layers.some((it) => it.policy === layer.policy)) ? ['left out'] : []),
        ]),
      ),
    );
    const expected = [
      ...['more-specific', 'less-specific', 'override-over-default', 'older', 'newer', 'first-by-name'],
      ...['last-by-name', 'greater-weight', 'lesser-weight', 'condition-not-met', 'same-policy'],
      ...['targetRef', 'policyRef', 'rejected', 'condition-failed', 'merge-problem'],
      ...['a policy met twice', 'a value of its own', 'left out'],
    ];
    expect(expected.filter((label) => !counts.has(label))).toEqual([]);
  });

  it.each(Object.keys(profileRules) as ProfileName[])('policies of %s meet by each of its strategies', (name) => {
    const rules = profileRules[name];
    const { strategyChooser, dialect } = rules;
    const counts = tally(
      worldsOf(fc.constant(rules), 100).flatMap((world) => meetingsIn(world).map(({ choice }) => choice.strategy)),
    );
    const chosen =
      strategyChooser.by === 'annotation' ? [strategyChooser.otherwise, ...Object.values(strategyChooser.values)] : [];
    const expected = [dialect.unselected, ...Object.values(dialect.names), ...chosen.map(({ strategy }) => strategy)];
    expect(expected.filter((strategy) => !counts.has(strategy))).toEqual([]);
  });
});
