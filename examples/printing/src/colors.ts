import picocolors from 'picocolors';

/** What colours text, or leaves it as it is. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/**
 * Colours for a terminal, none for a pipe or where `NO_COLOR` asks for none.
 *
 * @param stream Where the text goes.
 * @param env The environment.
 */
export function colorsFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  return picocolors.createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}
