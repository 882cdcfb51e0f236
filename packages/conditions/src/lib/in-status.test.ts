import { describe, expect, it } from 'vitest';
import { conditionsFor, gep713Vocabulary, setAncestorsInStatus, setConditionsInStatus } from '../index.ts';
import { update } from './conditions.fixture.ts';

const options = { observedGeneration: 1, now: new Date('2026-01-02T03:04:05Z') };
const ofController = { ...options, controllerName: 'example.com/gateway-controller' };
const ancestor = { ancestorRef: { name: 'edge' }, conditions: [update('Accepted')] };

describe('setConditionsInStatus', () => {
  it('renders an outcome under status.conditions, and keeps all other fields (X-13)', () => {
    const updates = conditionsFor(gep713Vocabulary, 'overridden', { message: 'By infra/edge.' });
    const { status } = setConditionsInStatus({ addresses: ['x'] }, updates, {
      ...options,
      owned: gep713Vocabulary.types,
    });
    expect(status).toMatchObject({
      addresses: ['x'],
      conditions: [
        { type: 'Accepted', status: 'True' },
        { type: 'Programmed', status: 'False', reason: 'Overridden' },
      ],
    });
  });

  it('removes Programmed when the policy is rejected (S-04, X-29)', () => {
    const apply = (status: unknown, outcome: 'enforced' | 'invalid') =>
      setConditionsInStatus(status, conditionsFor(gep713Vocabulary, outcome, { message: '' }), {
        ...options,
        owned: gep713Vocabulary.types,
      }).status;
    expect(apply(apply({}, 'enforced'), 'invalid').conditions).toMatchObject([{ type: 'Accepted', status: 'False' }]);
  });

  it('returns the entries that do not fit', () => {
    expect(setConditionsInStatus({}, [update('a'), update('b')], { ...options, limit: 1 }).refused).toEqual([
      update('b'),
    ]);
  });
});

describe('setAncestorsInStatus', () => {
  it('renders an entry for each ancestor under status.ancestors, and keeps all other fields (S-08)', () => {
    const { status, refused } = setAncestorsInStatus({ note: 'x' }, [ancestor], ofController);
    expect(status).toMatchObject({ note: 'x', ancestors: [{ ancestorRef: { name: 'edge' } }] });
    expect(refused).toEqual([]);
  });
});

describe('both renderings', () => {
  const empty = [
    ['no status', undefined, {}],
    ['a status that is no object', 'Ready', {}],
    ['an empty status', {}, {}],
  ] as const;

  it.each(empty)('write no empty list into %s', (_, status, expected) => {
    expect(setConditionsInStatus(status, [], options).status).toEqual(expected);
    expect(setAncestorsInStatus(status, [], ofController).status).toEqual(expected);
  });

  it('return the identical status if nothing changes (S-17)', () => {
    const flat = setConditionsInStatus({}, ancestor.conditions, options).status;
    expect(setConditionsInStatus(flat, ancestor.conditions, options).status).toBe(flat);
    const nested = setAncestorsInStatus({}, [ancestor], ofController).status;
    expect(setAncestorsInStatus(nested, [ancestor], ofController).status).toBe(nested);
  });

  it('replace a value that is not a list', () => {
    expect(setConditionsInStatus({ conditions: 'none' }, [], options).status).toEqual({ conditions: [] });
    expect(setAncestorsInStatus({ ancestors: 7 }, [ancestor], ofController).status.ancestors).toHaveLength(1);
  });
});
