import { describe, expect, it } from 'vitest';
import { createSources, type Transport } from '../../index.ts';
import { splitLines } from '../transport/lines.ts';
import { HTTPRoute, object } from './world.fixture.ts';

const count = 20_000;

/** An event of about 930 bytes. */
const event = (index: number, type: string, version: number) => {
  const { metadata, ...rest } = object('HTTPRoute', `route-${index}`, {
    rules: [{ backendRefs: [{ name: 'cart', port: 80 }] }],
  });
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const annotations = { note: 'x'.repeat(550) };
  return JSON.stringify({
    type,
    object: { ...rest, metadata: { ...metadata, uid, resourceVersion: String(version), annotations } },
  });
};

const bookmark = JSON.stringify({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: '1000', annotations: { 'k8s.io/initial-events-end': 'true' } } },
});

const lines = [
  ...Array.from({ length: 1000 }, (_, index) => event(index, 'ADDED', index + 1)),
  bookmark,
  ...Array.from({ length: count }, (_, index) => event(index % 1000, 'MODIFIED', index + 1001)),
];

const bytes = Buffer.from(`${lines.join('\n')}\n`);

async function* chunks(): AsyncGenerator<Buffer> {
  const size = 64 * 1024;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** A server that sends all objects at once. */
const transport: Transport = {
  async request({ query }) {
    const resources = [{ name: 'httproutes', kind: 'HTTPRoute', namespaced: true, verbs: ['list', 'watch'] }];
    const text = async () => JSON.stringify({ kind: 'APIResourceList', resources });
    const body = async function* () {
      if (query?.watch !== undefined) yield* splitLines(chunks());
      await new Promise(() => {});
    };
    return { status: 200, headers: {}, text, json: async () => JSON.parse(await text()), lines: body };
  },
};

const cpuSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return user + system;
};

async function costOfSources(): Promise<number> {
  const start = process.cpuUsage();
  const sources = createSources(transport, [HTTPRoute]);
  let last = '';
  for await (const { upsert } of sources) {
    last = upsert.at(-1)?.metadata.resourceVersion ?? last;
    if (last === String(count + 1000)) break;
  }
  sources.close();
  return cpuSince(start);
}

function costOfParsing(): number {
  const start = process.cpuUsage();
  for (const line of lines) JSON.parse(line);
  return cpuSince(start);
}

describe('sources', () => {
  it('cost at most eight times the CPU time of parsing the data', async () => {
    const ratios: number[] = [];
    for (let run = 0; run < 5; run += 1) ratios.push((await costOfSources()) / costOfParsing());
    expect(Math.min(...ratios)).toBeLessThan(8);
  });
});
