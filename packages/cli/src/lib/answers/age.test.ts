import { describe, expect, it } from 'vitest';
import { ageOf, humanDuration } from './age.ts';

const [minute, hour, day, year] = [60, 3600, 86_400, 31_536_000] as const;

describe('humanDuration', () => {
  it.each([
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 30, '5m30s'],
    [12 * minute + 30, '12m'],
    [3 * hour, '3h'],
    [3 * hour + 20 * minute, '3h20m'],
    [36 * hour, '36h'],
    [5 * day + 3 * hour, '5d3h'],
    [80 * day, '80d'],
    [3 * year + 10 * day, '3y10d'],
    [9 * year + 10 * day, '9y'],
    [-1, '0s'],
    [-60, '<invalid>'],
  ])('writes %d seconds as kubectl does: %s', (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text);
  });
});

describe('ageOf', () => {
  const object = (metadata: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart', ...metadata } });

  it('is the age of the object', () => {
    expect(ageOf(object({ creationTimestamp: '2026-01-01T00:00:00Z' }), new Date('2026-01-04T00:00:00Z'))).toBe('3d');
  });

  it.each([[{}], [{ creationTimestamp: 'yesterday' }], [{ creationTimestamp: null }]])(
    'is unknown with %j',
    (metadata) => {
      expect(ageOf(object(metadata), new Date())).toBe('<unknown>');
    },
  );
});
