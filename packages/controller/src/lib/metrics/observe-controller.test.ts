import type { SourceState } from '@policy-machinery/cluster';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { recordedInstruments } from './metrics.fixture.ts';
import { observeController } from './observe-controller.ts';

const Service = { group: '', kind: 'Service' };

describe('observeController', () => {
  it('shows the state of each part until it is stopped', async () => {
    const { instruments, samples } = recordedInstruments();
    const states = new Map<string, SourceState>([['service', { phase: 'synced', since: 0, failures: 0 }]]);
    const stop = observeController(instruments, {
      clock: createFakeClock(),
      sources: { states, count: () => 7 },
      kinds: [Service],
      quarantined: () => [Service, Service],
      lease: { name: 'timeouts-lease', lease: { isHeld: () => true } },
    });
    const expected = {
      policy_machinery_source_state: 'policy_machinery_source_state{kind="service",state="synced"} 1',
      policy_machinery_source_stale_seconds: 'policy_machinery_source_stale_seconds{kind="service"} 0',
      policy_machinery_objects: 'policy_machinery_objects{kind="service"} 7',
      policy_machinery_quarantined_objects: 'policy_machinery_quarantined_objects{kind="service"} 2',
      leader_election_master_status: 'leader_election_master_status{name="timeouts-lease"} 1',
    };
    for (const [name, sample] of Object.entries(expected)) expect(await samples(name)).toContain(sample);
    stop();
    for (const name of Object.keys(expected)) expect(await samples(name)).toEqual([]);
  });

  it('shows no lease if there is none', async () => {
    const { instruments, samples } = recordedInstruments();
    const stop = observeController(instruments, {
      clock: createFakeClock(),
      sources: { states: new Map(), count: () => 0 },
      kinds: [],
      quarantined: () => [],
    });
    expect(await samples('leader_election_master_status')).toEqual([]);
    stop();
  });
});
