/** A figure of the benchmark, and the bar that it is to keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most, or the least. None: shown for comparison. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Returns whether a figure keeps its bar. */
export function isKept({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

/** Returns a line about a figure. */
export function lineOf(figure: Figure): string {
  const { name, value, unit, atMost, atLeast } = figure;
  const bar = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : '';
  const verdict = bar === '' ? '' : isKept(figure) ? 'ok' : 'MISSED';
  return `${name.padEnd(64)} ${round(value).padStart(9)} ${unit.padEnd(14)} ${bar.padEnd(9)} ${verdict}`.trimEnd();
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2).replace(/\.?0+$/, '');
}
