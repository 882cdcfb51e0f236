/** Returns a ratio in two digits: `3.4`, `120`, `0.28`. */
export function ratio(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}

/** Returns a ratio that may be small: `1/1,200` below a tenth. */
export function fraction(value: number): string {
  return value < 0.1 ? `1/${ratio(1 / value)}` : ratio(value);
}
