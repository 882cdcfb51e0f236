import type { Reading } from '@policy-machinery/observability';
import { describe, expectTypeOf, it } from 'vitest';
import type { Instruments } from './instruments.ts';

describe('Instruments', () => {
  it('takes exactly the labels of each instrument', () => {
    type Add = Instruments['relists']['add'];
    expectTypeOf<Parameters<Add>[0]>().toEqualTypeOf<Readonly<Record<'kind' | 'reason', string>>>();
    const add = {} as Add;
    // @ts-expect-error A label is missing.
    add({ kind: 'service' });
    // @ts-expect-error A label is unknown.
    add({ kind: 'service', reason: 'start', host: '' });
  });

  it('takes no labels where there are none', () => {
    const record = {} as Instruments['applyDuration']['record'];
    record({}, 1);
    // @ts-expect-error The instrument has no labels.
    record({ kind: 'service' }, 1);
  });

  it('has the methods of each type of instrument', () => {
    expectTypeOf<keyof Instruments['relists']>().toEqualTypeOf<'add'>();
    expectTypeOf<keyof Instruments['applyDuration']>().toEqualTypeOf<'record'>();
    expectTypeOf<keyof Instruments['objects']>().toEqualTypeOf<'observe'>();
    type Read = Parameters<Instruments['objects']['observe']>[0];
    expectTypeOf<ReturnType<Read>>().toEqualTypeOf<Iterable<Reading<Readonly<Record<'kind', string>>>>>();
  });
});
