import picocolors from 'picocolors';

/** What colours text, or leaves it as it is. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/**
 * Returns colours for a terminal, and none for a pipe, a dumb terminal, or where `NO_COLOR` asks for none.
 *
 * @param stream Where the text goes, such as `process.stdout`.
 * @param env The environment, such as `process.env`.
 */
export function colorsFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  return picocolors.createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}

/** Leaves text as it is. */
export const noColors: Colors = picocolors.createColors(false);
