import { describe, expect, it } from 'vitest';
import { creationTimeOf } from './creation-time.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

const createdAt = (creationTimestamp?: string | null): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Policy',
  metadata: { name: 'x', ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
});

describe('creationTimeOf', () => {
  it('is in whole seconds since 1970', () => {
    expect(creationTimeOf(createdAt('1970-01-01T00:01:00Z'))).toBe(60);
  });

  it('distinguishes consecutive seconds (C-04)', () => {
    const [earlier, later] = ['2021-07-15T01:02:03Z', '2021-07-15T01:02:04Z'].map((at) =>
      creationTimeOf(createdAt(at)),
    );
    expect(later).toBe((earlier as number) + 1);
  });

  it.each(['2021-07-15T01:02:03.001Z', '2021-07-15T01:02:03.999Z', '2021-07-15T01:02:03.999999999Z'])(
    'drops fractions of a second (C-04): %s',
    (at) => {
      expect(creationTimeOf(createdAt(at))).toBe(creationTimeOf(createdAt('2021-07-15T01:02:03Z')));
    },
  );

  it.each([
    '2021-07-15T03:02:03+02:00',
    '2021-07-14T20:32:03-04:30',
    '2021-07-15T01:02:03-00:00',
    '2021-07-15t01:02:03z',
  ])('reads any time zone: %s', (at) => {
    expect(creationTimeOf(createdAt(at))).toBe(creationTimeOf(createdAt('2021-07-15T01:02:03Z')));
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a date only', '2021-07-15'],
    ['a time without a zone', '2021-07-15T01:02:03'],
    ['a day that no month has', '2021-13-01T00:00:00Z'],
    ['a day that this month does not have', '2021-02-30T00:00:00Z'],
    ['29 February of a common year', '2021-02-29T00:00:00Z'],
    ['hour 24', '2021-07-15T24:00:00Z'],
    ['another format', 'Thu, 15 Jul 2021 01:02:03 GMT'],
    ['a number of seconds', '1626310923'],
    ['a valid time with something after it', '2021-07-15T01:02:03Z!'],
    ['no string', 1626310923 as unknown as string],
  ])('is undefined if the timestamp is %s', (_, at) => {
    expect(creationTimeOf(createdAt(at))).toBeUndefined();
  });

  it('accepts 29 February of a leap year', () => {
    expect(creationTimeOf(createdAt('2024-02-29T00:00:00Z'))).toBe(1_709_164_800);
  });
});
