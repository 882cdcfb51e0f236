import { describe, expect, it } from 'vitest';
import { direct, directOnSeveralKinds, implementationOf, merged, type Subject } from './conformance.fixture.ts';

async function resultsOf(subject: Subject) {
  const implementation = implementationOf(subject);
  const { results } = await implementation.check();
  await implementation.stop();
  const faults = results.filter(({ result }) => result === 'failed').map(({ id, message }) => `${id}: ${message}`);
  return { faults, skipped: results.filter(({ result }) => result === 'skipped').map(({ id }) => id) };
}

describe('the conformance of our own controller', () => {
  it('is complete for a kind with defaults and overrides', async () => {
    expect(await resultsOf(merged)).toEqual({
      faults: [],
      skipped: ['none-oldest-stays', 'none-first-name-stays', 'none-next-follows'],
    });
  });

  it('is complete for a direct kind, as far as it applies', async () => {
    const { faults, skipped } = await resultsOf(direct);
    expect(faults).toEqual([]);
    expect(skipped).toEqual(expect.arrayContaining(['atomic-defaults', 'reference-grant', 'affected-condition']));
    expect(skipped).not.toContain('none-oldest-stays');
  });

  it('is complete for a direct kind on targets of several kinds', async () => {
    const { faults, skipped } = await resultsOf(directOnSeveralKinds);
    expect(faults).toEqual([]);
    expect(skipped).not.toContain('none-oldest-stays');
  });
});
