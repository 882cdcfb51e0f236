import type { SourcePhase, SourceState } from '@policy-machinery/cluster';
import { describe, expect, it } from 'vitest';
import type { KindTolerance } from '../controller-options.ts';
import { heldUpBy } from './barrier.ts';

const kind = { group: 'gateway.networking.k8s.io', kind: 'ListenerSet' };
const name = 'ListenerSet.gateway.networking.k8s.io';
const stateOf = (phase: SourcePhase, message?: string): SourceState => {
  return { phase, since: 0, failures: 0, ...(message === undefined ? {} : { message }) };
};

describe('heldUpBy', () => {
  it.each<[SourcePhase, KindTolerance, string | undefined]>([
    ['listing', {}, 'not read yet'],
    ['synced', {}, undefined],
    ['stale', {}, undefined],
    ['absent', {}, undefined],
    ['absent', { whenAbsent: 'wait' }, 'the API server does not serve this kind; install its CustomResourceDefinition'],
    ['forbidden', {}, 'not read yet'],
    ['forbidden', { whenForbidden: 'ignore' }, undefined],
    ['listing', { whenAbsent: 'ignore', whenForbidden: 'ignore' }, 'not read yet'],
  ])('a kind that is %s, with %j: %s', (phase, tolerance, message) => {
    const states = new Map([['listenerset.gateway.networking.k8s.io', stateOf(phase)]]);
    expect(heldUpBy([kind], states, { [name]: tolerance })).toEqual(
      message === undefined ? [] : [{ kind: name, message }],
    );
  });

  it('has the reason why the API server does not answer', () => {
    const states = new Map([['listenerset.gateway.networking.k8s.io', stateOf('forbidden', 'grant list and watch')]]);
    expect(heldUpBy([kind], states)).toEqual([{ kind: name, message: 'grant list and watch' }]);
  });

  it('waits for unknown kinds', () => {
    expect(heldUpBy([kind], new Map())).toEqual([{ kind: name, message: 'not read yet' }]);
  });
});
