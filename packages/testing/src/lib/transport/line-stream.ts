/** A stream of lines, which can be read once. */
export class LineStream implements AsyncIterable<string> {
  #queue: string[] = [];
  /** The place in the queue of the next line to read: shifting a long queue is slow. */
  #head = 0;
  readonly #closing: (() => void)[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;
  #isMuted = false;

  /** Whether nothing reaches the reader any more, although both ends take the connection for open. */
  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** Lets nothing that is written from now on reach the reader, not even the end. */
  mute(): void {
    this.#isMuted = true;
  }

  /** Writes a line. Does nothing after the end. */
  push(line: string): void {
    if (this.#end !== undefined || this.#isMuted) return;
    this.#queue.push(line);
    this.#wake?.();
  }

  /** Ends the stream: the reader receives the written lines, and then the end. */
  end(): void {
    if (!this.#isMuted) this.#close({});
  }

  /** Breaks the stream, from either side: the reader receives the written lines, and then the error. */
  fail(error: Error): void {
    this.#close({ error });
  }

  /** Calls a function at the end, from either side. */
  onClose(callback: () => void): void {
    if (this.#end === undefined) this.#closing.push(callback);
    else callback();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    try {
      while (true) {
        const line = this.#take();
        if (line !== undefined) yield line;
        else if (this.#end !== undefined) break;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      this.#close({});
    }
  }

  #take(): string | undefined {
    const line = this.#queue[this.#head];
    if (line !== undefined) this.#head += 1;
    else if (this.#head > 0) [this.#queue, this.#head] = [[], 0];
    return line;
  }

  #close(end: { readonly error?: Error }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#wake?.();
    for (const callback of this.#closing.splice(0)) callback();
  }
}
