/** Runs tasks one after the other, in the order in which they come. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task after those before. Resolves or rejects as the task does; a task that fails does not keep later ones from running. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(task, task);
    this.#last = next.catch(() => {});
    return next;
  }

  /** Returns a promise that resolves when all tasks so far have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
