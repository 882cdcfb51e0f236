/** Whether tests run in which a controller waits for half a minute or more, as it does on purpose: `npm run check` sets it. */
export const waitsLong = process.env.LONG_WAITS === '1';
