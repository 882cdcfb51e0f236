import picocolors from 'picocolors';

/** Functions that colour text, or leave it unchanged. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/**
 * Returns colours for a terminal, and no colours for a pipe, for a dumb terminal, or if `NO_COLOR` is set.
 *
 * @param stream The output, such as `process.stdout`.
 * @param env The environment, such as `process.env`.
 */
export function colorsFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  return picocolors.createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}

/** Leaves text unchanged. */
export const noColors: Colors = picocolors.createColors(false);
