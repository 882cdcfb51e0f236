import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Garden } from '../kinds.fixture.ts';
import type { ConcernField } from './concern-field.ts';
import { definePolicyKind } from './policy-kind.ts';

const kindWith = (concerns?: readonly ConcernField[]) =>
  definePolicyKind({
    group: 'garden.example.com',
    version: 'v1',
    kind: 'GatePolicy',
    targets: [Garden],
    spec: z.looseObject({}),
    ...(concerns === undefined ? {} : { concerns }),
  });

describe('the concerns of a policy kind', () => {
  it('are those that it declares, and not known by default', () => {
    expect(kindWith([{ concern: 'rate-limit', pointer: '/visitors' }]).concerns).toHaveLength(1);
    expect(kindWith().concerns).toBeUndefined();
  });

  it('must exist, because an unknown one would make a hole in a protection', () => {
    const misspelled = { concern: 'authentification', pointer: '/key' } as unknown as ConcernField;
    expect(() => kindWith([misspelled])).toThrow(
      /GatePolicy serves the concern authentification, which does not exist; use one of authentication, /,
    );
  });

  it('are at a JSON Pointer', () => {
    expect(() => kindWith([{ concern: 'authentication', pointer: 'key' }])).toThrow(TypeError);
  });
});
