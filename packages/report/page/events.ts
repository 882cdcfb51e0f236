import { type Session, SignInError } from './session.ts';

/** An event of a stream (`text/event-stream`). */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** What is told about a stream. */
export interface OnStream {
  readonly open: () => void;
  readonly event: (event: StreamEvent) => void;
  /** The stream has ended; another attempt follows. */
  readonly lost: () => void;
  /** The server no longer accepts the viewer's token. */
  readonly refused: () => void;
}

/** How long after the end of a stream the next attempt begins, in milliseconds. */
const pause = 1_000;

/** The time without a sign of life after which a stream counts as ended: the server sends one each half minute. */
const patience = 75_000;

/**
 * Follows the stream of events of a server for as long as the page is open. Unlike an `EventSource`, its requests have the viewer's token.
 *
 * @param session The requests of the page.
 * @param on What is told.
 */
export async function followEvents(session: Session, on: OnStream): Promise<void> {
  for (;;) {
    const end = new AbortController();
    try {
      const { body } = await session.ask('events', end.signal);
      on.open();
      if (body !== null) await readEvents(body.getReader(), on.event, end);
    } catch (error) {
      if (error instanceof SignInError) return on.refused();
    }
    end.abort();
    on.lost();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onEvent: (event: StreamEvent) => void,
  end: AbortController,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => end.abort(), patience);
    const { value, done } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const event = eventIn(part);
      if (event !== undefined) onEvent(event);
    }
  }
}

/** Reads an event; `undefined` for a comment. */
function eventIn(text: string): StreamEvent | undefined {
  const fields = text.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? []);
  const valuesOf = (name: string): readonly string[] =>
    fields.flatMap(([field, value = '']) => (field === name ? value : []));
  const data = valuesOf('data');
  return data.length === 0 ? undefined : { type: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') };
}
