import { describe, expect, it } from 'vitest';
import { knownKinds } from '../../known-kinds.ts';
import { type World, worldOf, worldWith } from '../world.fixture.ts';
import { type OptionCase, without } from './option-case.fixture.ts';
import { optionCases } from './option-cases.fixture.ts';

/**
 * Options about references. `npm run check:field` compares them with the definitions of the systems, and `referrers`, which only statuses of
 * `gwpolicy` read, with their statuses.
 */
const ofReferences = new Set([
  'targetFields',
  'maxTargets',
  'maxSelectors',
  'repeatedTargets',
  'coreGroupSpellings',
  'crossNamespace',
  'clusterScopedTargets',
  'readTargets',
  'targetSelectors',
  'referrers',
]);

const optionsOf = new Map<string, Set<string>>();
for (const { system, options } of knownKinds) {
  optionsOf.set(system, new Set([...(optionsOf.get(system) ?? []), ...options]));
}

/** Values that a kind has by default, which rows state for the sake of their readers. */
const likeTheDefault = new Set([
  'kgateway sameLevel',
  'agentgateway sameLevel',
  'Gloo Gateway sameLevel',
  'Kuadrant extensions sameLevel',
]);

const cases = Object.entries(optionCases).flatMap(([system, byOption]) =>
  Object.entries(byOption).map(([option, it]): [string, string, OptionCase] => [system, option, it]),
);

function answerOf({ specs, outcomes, messages, ancestors, issues }: World): string {
  return JSON.stringify({ specs, outcomes, messages, ancestors, issues });
}

describe('the options of rows', () => {
  it('have a case each, from the behaviour of their system', () => {
    const missing = [...optionsOf].flatMap(([system, options]) =>
      [...options]
        .filter((option) => !ofReferences.has(option) && optionCases[system]?.[option] === undefined)
        .map((option) => `${system} ${option}`),
    );
    expect(missing).toEqual([]);
  });

  it('are set by the rows that the cases are about', () => {
    const surplus = cases.filter(([system, option]) => optionsOf.get(system)?.has(option) !== true);
    expect(surplus.map(([system, option]) => `${system} ${option}`)).toEqual([]);
  });

  it.each(cases)('of %s: %s', (_system, _option, { has, says }) => {
    const { message, ...parts } = says;
    const world = worldOf(...has);
    expect(world).toMatchObject(parts);
    if (parts.specs !== undefined && Object.keys(parts.specs).length === 0) expect(world.specs).toEqual({});
    if (message !== undefined) expect(Object.values(world.messages).join(' ')).toContain(message);
  });

  const removable = cases.filter(
    ([system, option]) => without[option] !== undefined && !likeTheDefault.has(`${system} ${option}`),
  );

  it.each(removable)('of %s are needed by the case: without %s, its answer is another', (_system, option, { has }) => {
    const alter = without[option];
    expect(alter && answerOf(worldWith(alter, ...has))).not.toBe(answerOf(worldOf(...has)));
  });
});
