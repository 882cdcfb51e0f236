import { expect, it } from 'vitest';
import { ageOf } from './age.ts';

const created = (name: string, creationTimestamp?: string): string => {
  const metadata = { name, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) };
  return ageOf(name, { apiVersion: 'v1', kind: 'Any', metadata });
};

it('puts the oldest first by the moment, whatever the time zone, and resources without a time last', () => {
  const ages = [
    created('b', '0001-01-01T00:00:00Z'),
    created('a', '2026-01-01T01:00:00+02:00'),
    created('d', '2025-12-31T23:30:00.5Z'),
    created('e', '2025-12-31T23:30:00Z'),
    created('f', '9999-12-31T23:59:59Z'),
    created('c'),
    created('g', 'yesterday'),
  ];
  expect([...ages].reverse().sort()).toEqual(ages);
});
