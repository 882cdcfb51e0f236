import { describe, expect, it } from 'vitest';
import { implementationOf, merged } from './conformance.fixture.ts';

const only = ['target-found'];

describe('runConformance', () => {
  it('reports a check as failed if its namespaces may not be created', async () => {
    const { server, check, stop } = implementationOf(merged);
    server.forbid('create namespaces');
    const { results } = await check({ only });
    await stop();
    expect(results).toEqual([
      expect.objectContaining({ result: 'failed', message: expect.stringContaining('namespaces is forbidden') }),
    ]);
  });

  it('rejects if the API server refuses to delete a namespace', async () => {
    const { server, check, stop } = implementationOf(merged);
    server.forbid('delete namespaces');
    await expect(check({ only })).rejects.toMatchObject({ code: 403 });
    await stop();
  });
});
