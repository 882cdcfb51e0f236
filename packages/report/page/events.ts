export interface ServerEvent {
  readonly type: 'change' | 'patch';
  readonly data: string;
}

/** The listeners of a stream. */
export interface OnStream {
  readonly open: () => void;
  readonly event: (event: ServerEvent) => void;
  /** The stream has ended; another attempt follows. */
  readonly lost: () => void;
}

/** The pause before a stream that the browser has given up is opened again, in milliseconds. */
const pause = 1_000;

/** After this time without an event, a stream counts as ended: the server sends a `beat` each half minute. */
const patience = 75_000;

/** Follows the events of the server for as long as the page is open. */
export function followEvents(on: OnStream): void {
  const source = new EventSource('events');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    clearTimeout(timer);
    source.close();
    on.lost();
    timer = setTimeout(() => followEvents(on), pause);
  };
  const beat = (): void => {
    clearTimeout(timer);
    timer = setTimeout(again, patience);
  };
  source.onopen = () => {
    beat();
    on.open();
  };
  source.onerror = again;
  source.addEventListener('beat', beat);
  for (const type of ['change', 'patch'] as const) {
    source.addEventListener(type, ({ data }) => {
      beat();
      on.event({ type, data });
    });
  }
}
