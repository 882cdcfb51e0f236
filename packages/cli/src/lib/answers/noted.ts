/** The annotation of an object that accepts findings about it: `overridden: the default may lose`, one in each line. */
export const ignoreAnnotation = 'lint.policy-machinery/ignore';

/** A line of an annotation: a name with a reason, which is empty if it is missing. */
export interface NoteLine {
  readonly name: string;
  readonly reason: string;
}

/** Returns the lines of an annotation that accepts something: `overridden: the default may lose`. */
export function noteLines(text = ''): readonly NoteLine[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [name = '', ...reason] = line.split(':');
    return { name: name.trim(), reason: reason.join(':').trim() };
  });
}
