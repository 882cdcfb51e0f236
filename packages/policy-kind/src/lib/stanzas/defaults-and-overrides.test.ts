import { atomic, customStrategy, patch } from '@policy-machinery/merge';
import { describe, expect, it } from 'vitest';
import { policy, waterPolicy } from '../kinds.fixture.ts';
import { type DefaultsAndOverridesOptions, defaultsAndOverrides } from './defaults-and-overrides.ts';
import type { Strategies } from './strategy-choice.ts';

const append = customStrategy({ defaults: () => undefined });
const strategies: Strategies = { atomic, patch, append };

/** Returns the layers of a policy in short, or its faults: `stanza strategy pointer spec`, or `pointer message`. */
function read(spec: unknown, options: DefaultsAndOverridesOptions = {}): string[] {
  const kind = waterPolicy({ stanzas: defaultsAndOverrides({ strategies, ...options }) });
  const reading = kind.read(policy(spec));
  const nameOf = (strategy: unknown) => Object.entries(strategies).find(([, it]) => it === strategy)?.[0];
  return reading.policy === undefined
    ? reading.issues.map(({ pointer, message }) => `${pointer} ${message}`)
    : reading.policy.layers.map(({ stanza, strategy, pointer, spec }) => {
        return `${stanza} ${nameOf(strategy)} ${pointer} ${JSON.stringify(spec)}`;
      });
}

describe('defaultsAndOverrides', () => {
  it.each<[string, unknown, string]>([
    ['defaults', { defaults: { litres: 1 } }, 'defaults atomic /spec/defaults {"litres":1}'],
    ['overrides', { overrides: { litres: 1 } }, 'overrides atomic /spec/overrides {"litres":1}'],
    ['a bare spec, as defaults (M-23)', { litres: 1 }, 'defaults atomic /spec {"litres":1}'],
    ['nothing but targets', { targetRefs: [] }, 'defaults atomic /spec {}'],
    ['an empty stanza', { overrides: {} }, 'overrides atomic /spec/overrides {}'],
    ['targets beside a stanza', { targetRef: {}, defaults: {} }, 'defaults atomic /spec/defaults {}'],
  ])('reads %s', (_, spec, expected) => {
    expect(read(spec)).toEqual([expected]);
  });

  it('reads plural spellings, singular ones, or both, by the option of the kind', () => {
    expect(read({ override: { litres: 1 } }, { spelling: 'singular' })).toEqual([
      'overrides atomic /spec/override {"litres":1}',
    ]);
    expect(read({ overrides: { litres: 1 } }, { spelling: 'singular' })).toEqual([
      '/spec Unrecognized key: "overrides"',
    ]);
    expect(read({ override: { litres: 1 } })).toEqual(['/spec Unrecognized key: "override"']);
    for (const field of ['override', 'overrides']) {
      expect(read({ [field]: { litres: 1 } }, { spelling: 'either' })).toEqual([
        `overrides atomic /spec/${field} {"litres":1}`,
      ]);
    }
  });
});

describe('defaultsAndOverrides: the strategy', () => {
  it.each<[string, unknown]>([
    ['in the stanza', { overrides: { strategy: 'patch' } }],
    ['beside it', { strategy: 'patch', overrides: {} }],
    ['in both places alike', { strategy: 'patch', overrides: { strategy: 'patch' } }],
  ])('is selected %s', (_, spec) => {
    expect(read(spec)).toEqual(['overrides patch /spec/overrides {}']);
  });

  it('is selected at the top of a bare spec', () => {
    expect(read({ strategy: 'append', litres: 1 })).toEqual(['defaults append /spec {"litres":1}']);
  });

  it('is refused if two places differ', () => {
    expect(read({ strategy: 'atomic', overrides: { strategy: 'patch' } })).toEqual([
      '/spec/overrides/strategy two strategies are selected, one in overrides and one next to it; keep one',
    ]);
  });

  it.each<[string, unknown, string]>([
    [
      'an unknown one',
      { defaults: { strategy: 'merge' } },
      '/spec/defaults/strategy the strategy "merge" is not supported for defaults; supported: "atomic", "patch", "append"',
    ],
    [
      'an unknown one beside the stanza',
      { strategy: 'merge', overrides: {} },
      '/spec/strategy the strategy "merge" is not supported for overrides; supported: "atomic", "patch"',
    ],
    [
      'one that does not support the stanza',
      { overrides: { strategy: 'append' } },
      '/spec/overrides/strategy the strategy "append" is not supported for overrides; supported: "atomic", "patch"',
    ],
    [
      'the name of something that objects inherit',
      { strategy: 'constructor' },
      '/spec/strategy the strategy "constructor" is not supported for defaults or overrides; supported: "atomic", "patch", "append"',
    ],
    [
      'no name at all',
      { strategy: ['patch'] },
      '/spec/strategy the strategy ["patch"] is not supported for defaults or overrides; supported: "atomic", "patch", "append"',
    ],
  ])('is never silently replaced (P-09): %s', (_, spec, expected) => {
    expect(read(spec)).toEqual([expected]);
  });

  it('is reported together with other faults of the stanza', () => {
    expect(read({ defaults: { strategy: 'merge', litres: 'many' } })).toEqual([
      expect.stringMatching('^/spec/defaults/strategy '),
      expect.stringMatching('^/spec/defaults/litres '),
    ]);
  });

  it('cannot be selected if the kind lacks a field for it', () => {
    expect(read({ defaults: { strategy: 'patch' } }, { strategyField: false })).toEqual([
      '/spec/defaults Unrecognized key: "strategy"',
    ]);
  });

  it('refuses a stanza that no strategy supports, with its pointer', () => {
    for (const strategyField of ['strategy', false] as const) {
      expect(read({ overrides: { litres: 1 } }, { strategies: { append }, strategyField })).toEqual([
        '/spec/overrides policies of this kind cannot have overrides; remove them',
      ]);
    }
  });

  it('treats a bare spec as overrides if only these are supported', () => {
    const overriding = customStrategy({ overrides: () => undefined });
    expect(read({ litres: 1 }, { strategies: { overriding } })).toEqual(['overrides undefined /spec {"litres":1}']);
  });
});

describe('defaultsAndOverrides: stanzas in one policy (X-05)', () => {
  const both = { defaults: { litres: 1 }, overrides: { litres: 2 } };
  const bareAndBoth = { overrides: { litres: 2 }, hours: [6], defaults: { litres: 1 } };
  const layers = {
    defaults: 'defaults atomic /spec/defaults {"litres":1}',
    bare: 'defaults atomic /spec {"hours":[6]}',
    overrides: 'overrides atomic /spec/overrides {"litres":2}',
  };
  const refusedBoth =
    '/spec/overrides both defaults and overrides are set; keep one, and use a second policy for the other';
  const refusedBare = '/spec/hours hours is next to defaults and overrides; move it inside, or remove it';

  it.each<[DefaultsAndOverridesOptions['together'], string, unknown, string[]]>([
    ['single', 'refuses both stanzas', both, [refusedBoth]],
    ['single', 'refuses fields beside a stanza', bareAndBoth, [refusedBare, refusedBoth]],
    ['defaults-and-overrides', 'takes both stanzas', both, [layers.defaults, layers.overrides]],
    ['defaults-and-overrides', 'refuses fields beside them', bareAndBoth, [refusedBare]],
    ['all', 'takes both stanzas', both, [layers.defaults, layers.overrides]],
    ['all', 'applies defaults, bare spec, overrides', bareAndBoth, [layers.defaults, layers.bare, layers.overrides]],
  ])('%s %s', (together, _, spec, expected) => {
    expect(read(spec, { ...(together === undefined ? {} : { together }) })).toEqual(expected);
  });

  it('is single by default', () => {
    expect(read(both)).toEqual([refusedBoth]);
  });

  it.each(['single', 'defaults-and-overrides', 'all'] as const)(
    '%s refuses one stanza in two spellings',
    (together) => {
      expect(read({ default: {}, defaults: {} }, { spelling: 'either', together })).toEqual([
        '/spec/default both defaults and default are set, which mean the same; keep one',
      ]);
    },
  );

  it('treats a null stanza as absent', () => {
    expect(read({ overrides: null, litres: 1 })).toEqual(read({ litres: 1 }));
  });

  it.each([[], 'litres', 5, true])('refuses a stanza that is not an object: %j', (value) => {
    expect(read({ overrides: value })).toEqual([
      '/spec/overrides overrides must be an object with the fields of the policy',
    ]);
  });

  it('reports everything at once', () => {
    expect(read({ defaults: 5, overrides: { strategy: 'x' }, 'a/b': 1 })).toEqual([
      expect.stringMatching('^/spec/a~1b a/b is next to'),
      expect.stringMatching('^/spec/overrides both defaults and overrides'),
      expect.stringMatching('^/spec/defaults defaults must be an object'),
      expect.stringMatching('^/spec/overrides/strategy the strategy "x" is not supported'),
    ]);
  });
});

describe('defaultsAndOverrides: requireStanza (P-06, X-09)', () => {
  it.each([
    [{ request: '1s' }, ['/spec: needs a stanza; put its fields into defaults or overrides']],
    [{}, ['/spec: needs a stanza; put its fields into defaults or overrides']],
    [{ overrides: { request: '1s' } }, []],
  ])('of %j', (spec, expected) => {
    const { faults } = defaultsAndOverrides({ requireStanza: true }).read(spec);
    expect(faults.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual(expected);
  });
});
