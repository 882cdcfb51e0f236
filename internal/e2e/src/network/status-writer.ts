import {
  createWriter,
  type ObjectWrite,
  type Sources,
  type Transport,
  type WriteGate,
  type WriteOutcome,
  type Writer,
  type WriterOptions,
} from '@policy-machinery/cluster';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';

/** A writer that keeps statuses on objects of one kind, with what has become of its writes. */
export interface StatusWriter {
  readonly writer: Writer<ObjectWrite>;
  readonly outcomes: readonly WriteOutcome[];
  /** The names of the objects that were planned again. */
  readonly replanned: readonly string[];
  /** How many requests were under way at the beginning of each. */
  readonly inFlight: readonly number[];
  /** Sets the desired status of an object, and plans the write. */
  want(name: string, status: object): void;
}

/** Returns a writer for objects in a namespace. Its random delays are as long as they are on average. */
export function startStatusWriter(
  transport: Transport,
  sources: Sources,
  { kind, namespace }: { readonly kind: GroupKind; readonly namespace: string },
  options: Partial<WriterOptions<ObjectWrite>> = {},
): StatusWriter {
  const wanted = new Map<string, object>();
  const outcomes: WriteOutcome[] = [];
  const replanned: string[] = [];
  const inFlight: number[] = [];
  const plan = (name: string): void => {
    const locator = `${groupKindKey(kind)}:${namespace}/${name}`;
    const known = sources.get(locator);
    const status = wanted.get(name) ?? {};
    if (known === undefined || JSON.stringify(known.status) === JSON.stringify(status)) {
      writer.cancel(locator);
      return;
    }
    const { resourceVersion = '' } = known.metadata;
    writer.write({
      ref: { ...kind, namespace, name },
      locator,
      subresource: 'status',
      patch: [
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'add', path: '/status', value: status },
      ],
      apply: { apiVersion: known.apiVersion, kind: kind.kind, metadata: { name, namespace }, status: { ...status } },
    });
  };
  const writer = createWriter<ObjectWrite>(transport, {
    sources,
    fieldManager: 'test',
    random: () => 0.5,
    planAgain({ ref: { name } }) {
      replanned.push(name);
      plan(name);
    },
    onStart: () => void inFlight.push(writer.sending),
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...options,
  });
  return {
    writer,
    outcomes,
    replanned,
    inFlight,
    want(name, status) {
      wanted.set(name, status);
      plan(name);
    },
  };
}

/** Returns a gate, which is open, and a function that opens or closes it. */
export function createGate(): WriteGate & { readonly set: (open: boolean) => void } {
  const listeners = new Set<() => void>();
  let isOpen = true;
  return {
    isHeld: () => isOpen,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(open) {
      isOpen = open;
      for (const listener of listeners) listener();
    },
  };
}
