import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import { describe, expect, it } from 'vitest';
import { statusWriteFor } from './guarantee-status.ts';

const now = new Date('2026-01-02T03:04:05Z');
const condition = (type: string, status: string) => ({
  ...{ type, status, observedGeneration: 1, lastTransitionTime: '2025-01-01T00:00:00Z', reason: 'Said', message: '' },
});

describe('the write of the condition of a guarantee', () => {
  it('keeps other conditions, and applies its own alone', () => {
    const others = [condition('Reviewed', 'True'), condition('Holds', 'False')];
    const object = {
      apiVersion: `${guaranteeKind.group}/${guaranteeKind.version}`,
      kind: guaranteeKind.kind,
      metadata: { name: 'timeouts', generation: 1, resourceVersion: '7' },
      status: { conditions: others },
    };
    const holds = { status: 'True', reason: 'HoldsForAll', message: 'It holds.' } as const;
    const write = statusWriteFor(object, holds, now);
    const own = { type: 'Holds', ...holds, observedGeneration: 1, lastTransitionTime: '2026-01-02T03:04:05Z' };
    expect(write?.patch.at(-1)).toEqual({ op: 'add', path: '/status', value: { conditions: [others[0], own] } });
    expect(write?.apply.status).toEqual({ conditions: [own] });
  });
});
