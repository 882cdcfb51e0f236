/** Where traces go. `openTelemetryTracer` of `@policy-machinery/observability/opentelemetry` is one; implement it for another library. */
export interface Tracer {
  /**
   * Runs a task in its own span, within the span where it is called.
   *
   * @param name The name of the task.
   * @param attributes The attributes of the span.
   * @returns The result of the task. Rejects as the task does.
   */
  span<Result>(
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    task: () => Promise<Result>,
  ): Promise<Result>;
}

/** Traces nothing. */
export const noTracer: Tracer = { span: (_name, _attributes, task) => task() };
