import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { openTelemetryTracer } from '@policy-machinery/observability/opentelemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld } from '../world.fixture.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register(); // So that spans know in which one they are.
const tracer = openTelemetryTracer(provider.getTracer('timeouts'));

afterEach(() => exporter.reset());

/** The spans, each with the one that it is in: `slice > plan`. */
function spans(): readonly string[] {
  const finished = exporter.getFinishedSpans();
  const names = new Map(finished.map((span) => [span.spanContext().spanId, span.name]));
  return finished.map(({ name, parentSpanContext }) => {
    const parent = names.get(parentSpanContext?.spanId ?? '');
    return parent === undefined ? name : `${parent} > ${name}`;
  });
}

describe('openTelemetryTracer', () => {
  it('traces slices, the steps of each, and the writes', async () => {
    const world = createWorld({ controller: { traces: tracer } });
    const { stop } = world.start();
    await world.settle();
    expect(new Set(spans().map((it) => it.replace(/^.* > write$/, 'write')))).toEqual(
      new Set(['slice > apply', 'slice > refresh', 'slice > plan', 'slice', 'write']),
    );
    const written = exporter.getFinishedSpans().filter(({ name }) => name === 'write');
    expect(written.map(({ attributes }) => attributes.path)).toContain(
      '/apis/timeouts.example.com/v1/namespaces/shop/timeoutpolicies/slow/status',
    );
    await stop();
  });

  it('returns the result of a task, and marks the span of a task that fails', async () => {
    expect(await tracer.span('plan', {}, async () => 7)).toBe(7);
    const failed = tracer.span('apply', {}, () => Promise.reject(new Error('a kind has a bug')));
    await expect(failed).rejects.toThrow('a kind has a bug');
    expect(exporter.getFinishedSpans().map(({ status }) => status.message)).toEqual([undefined, 'a kind has a bug']);
  });
});
