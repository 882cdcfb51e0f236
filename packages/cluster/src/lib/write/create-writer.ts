import type { Transport } from '../transport/transport.ts';
import type { ObjectWrite } from './object-write.ts';
import { Writer } from './writer.ts';
import type { WriterOptions } from './writer-options.ts';

/**
 * Creates a writer. Planners of one process share one writer: {@link Writer.queue} adds the second and each further one.
 *
 * - A write that meets a changed object is not forced: the object is read, and planned again.
 * - A write that the API server will never accept is not sent twice.
 * - When the API server is overloaded or away, nothing is sent until it has had time.
 *
 * @param transport The connection.
 * @param options How to write.
 * @returns The writer.
 * @example
 * ```ts
 * const planAgain = () => plan();
 * const writer = createWriter(connection, { sources, fieldManager: 'timeouts.example.com', planAgain });
 * for (const write of planner.plan().writes) writer.write(write);
 * ```
 */
export function createWriter<W extends ObjectWrite>(transport: Transport, options: WriterOptions<W>): Writer<W> {
  return Writer.make(transport, options);
}
