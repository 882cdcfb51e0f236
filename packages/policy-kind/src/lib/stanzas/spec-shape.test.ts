import { atomic, none, patch } from '@policy-machinery/merge';
import { describe, expect, it } from 'vitest';
import {
  bareSpec,
  defaultsAndOverrides,
  emptyListsUnset,
  envoyGateway,
  guardedRules,
  kuadrant,
  type StanzaReader,
  withConditions,
  withUnset,
} from '../../index.ts';
import { Bed, Garden, waterPolicy } from '../kinds.fixture.ts';

const strategies = { atomic, patch };
const language = { compile: () => () => ({ holds: true }) };

/** The fields at the top of specs, and those in stanzas, by the names of these. */
const fieldsOf = ({ shape }: StanzaReader) => ({
  top: Object.keys(shape?.fields ?? {}),
  stanzas: Object.fromEntries(
    (shape?.stanzas ?? []).map(({ field, fields }) => [String(field), Object.keys(fields)] as const),
  ),
});

describe('the shape of a stanza reader (A-04)', () => {
  it('of bare specs has one stanza, at the top, with the strategies that can be selected', () => {
    const { shape } = envoyGateway().stanzas;
    expect(shape).toMatchObject({ stanzas: [{ field: undefined, fields: {} }], exclusive: [], oneOf: [] });
    expect(shape?.fields).toMatchObject({ mergeType: { type: 'string', enum: ['StrategicMerge', 'JSONMerge'] } });
    expect(bareSpec({ strategies, strategyField: false }).shape?.fields).toEqual({});
  });

  it('of defaults and overrides has their spellings, and a strategy in them or next to them', () => {
    const strategy = ['strategy'];
    expect(fieldsOf(defaultsAndOverrides({ strategies, spelling: 'either' }))).toEqual({
      top: strategy,
      stanzas: { undefined: [], defaults: strategy, overrides: strategy, default: strategy, override: strategy },
    });
    expect(fieldsOf(defaultsAndOverrides({ spelling: 'singular', strategyField: false }))).toEqual({
      top: [],
      stanzas: { undefined: [], default: [], override: [] },
    });
  });

  it('names the strategies of each stanza, and leaves out stanzas that no policy can have', () => {
    const { overrides: _overrides, ...onlyDefaults } = patch;
    const { shape } = defaultsAndOverrides({ strategies: { atomic, onlyDefaults } });
    expect(shape?.stanzas.map(({ field, fields }) => [field, fields.strategy?.enum])).toEqual([
      [undefined, undefined],
      ['defaults', ['atomic', 'onlyDefaults']],
      ['overrides', ['atomic']],
    ]);
    expect(fieldsOf(defaultsAndOverrides({ strategies: { none } })).stanzas).toEqual({
      undefined: [],
      defaults: ['strategy'],
    });
  });

  it.each([
    ['single', [[undefined, 'defaults', 'overrides']]],
    [
      'defaults-and-overrides',
      [
        [undefined, 'defaults'],
        [undefined, 'overrides'],
      ],
    ],
    ['all', []],
  ] as const)('reports fields that exclude each other (X-05): %s', (together, exclusive) => {
    expect(defaultsAndOverrides({ together }).shape?.exclusive).toEqual(exclusive);
  });

  it('never allows two spellings of a stanza together', () => {
    expect(defaultsAndOverrides({ spelling: 'either', together: 'all' }).shape?.exclusive).toEqual([
      ['defaults', 'default'],
      ['overrides', 'override'],
    ]);
  });

  it('omits the bare spec if a stanza is required, unless bare fields may accompany it (P-06)', () => {
    const required = { requireStanza: true } as const;
    const { shape } = defaultsAndOverrides(required);
    expect(shape?.oneOf).toEqual(['defaults', 'overrides']);
    expect(shape?.stanzas.map(({ field }) => field)).toEqual(['defaults', 'overrides']);
    const all = defaultsAndOverrides({ ...required, together: 'all' }).shape;
    expect(all?.oneOf).toEqual(['defaults', 'overrides']);
    expect(all?.stanzas.map(({ field }) => field)).toEqual([undefined, 'defaults', 'overrides']);
  });

  it('has the fields that wrapping readers remove from specs', () => {
    const { stanzas } = kuadrant({ rules: ['/limits'], guards: 'guards', conditions: language });
    const inStanzas = ['guards', 'when'];
    expect(fieldsOf(stanzas)).toEqual({
      top: ['strategy', 'unset'],
      stanzas: {
        undefined: inStanzas,
        defaults: ['strategy', ...inStanzas],
        overrides: ['strategy', ...inStanzas],
      },
    });
    const bare = bareSpec({ strategies });
    expect(emptyListsUnset(bare).shape).toEqual(bare.shape);
  });

  it('is unknown for readers without one, wrapped or not', () => {
    const { shape: _shape, ...unshaped } = bareSpec({ strategies });
    const reader: StanzaReader = unshaped;
    for (const wrap of [withUnset, emptyListsUnset]) expect(wrap(reader).shape).toBeUndefined();
    expect(withConditions(reader, language).shape).toBeUndefined();
    expect(guardedRules(reader, { rules: ['/limits'] }).shape).toBeUndefined();
  });
});

describe('definePolicyKind', () => {
  it.each([
    ['Direct', [Bed, Bed.sections.row], undefined],
    ['Direct', [Bed.sections.row], [Bed]],
    ['Inherited', [Garden, Bed], undefined],
    ['Inherited', [Garden], [Bed]],
  ] as const)('says that a kind is %s (X-17b)', (policyClass, targets, effectiveTargets) => {
    const kind = waterPolicy({ targets, ...(effectiveTargets === undefined ? {} : { effectiveTargets }) });
    expect(kind.policyClass).toBe(policyClass);
  });

  it('lists the fields that name targets', () => {
    expect(waterPolicy().targetFields).toEqual(['targetRef', 'targetRefs']);
    expect(waterPolicy({ targetSelectors: true }).targetFields).toContain('targetSelectors');
    expect(waterPolicy({ readTargets: () => ({}) }).targetFields).toEqual([]);
  });
});
