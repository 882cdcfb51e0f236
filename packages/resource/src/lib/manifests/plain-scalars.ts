/*
 * kubectl reads YAML by sigs.k8s.io/yaml, which takes plain scalars (those without quotes) for values of YAML 1.1, with its own exceptions:
 * numbers of base 60 do not exist, and timestamps are texts. vectors/kubectl-yaml.json has the answers of that module.
 */

export type PlainValue = string | number | boolean | null;

const values: readonly (readonly [PlainValue, ...string[]])[] = [
  [true, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'],
  [false, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'],
  [null, '', '~', 'null', 'Null', 'NULL'],
  [Number.NaN, '.nan', '.NaN', '.NAN'],
  [Number.POSITIVE_INFINITY, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'],
  [Number.NEGATIVE_INFINITY, '-.inf', '-.Inf', '-.INF'],
];

const words: ReadonlyMap<string, PlainValue> = new Map(
  values.flatMap(([value, ...texts]) => texts.map((text) => [text, value] as const)),
);

const longestWord = 5;

/**
 * Returns the value that kubectl takes a plain scalar for.
 *
 * @param text The scalar: `yes`, `010`, `1_000`, `10s`.
 * @returns The value: `true`, 8, 1000, `'10s'`.
 */
export function plainValue(text: string): PlainValue {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  if (first > nine || !mayBeginNumber(first)) return text;
  if (first === dot && !fraction.test(text)) return text;
  const plain = text.replaceAll('_', '');
  const integer = integerIn(plain);
  return (integer === undefined ? floatIn(plain) : Number(integer)) ?? text;
}

const nine = 57;
const dot = 46;

/** A number that begins with a dot. Only in these, `_` must be between digits. */
const fraction = /^\.\d+(?:_\d+)*(?:e[-+]?\d+(?:_\d+)*)?$/i;

function mayBeginNumber(code: number): boolean {
  return (code >= 48 && code <= nine) || code === dot || code === 43 || code === 45;
}

const forms: readonly (readonly [form: RegExp, prefix: string])[] = [
  [/^[-+]?0b[01]+$/i, '0b'],
  [/^[-+]?0o[0-7]+$/i, '0o'],
  [/^[-+]?0x[\da-f]+$/i, '0x'],
  [/^[-+]?0[0-7]+$/, '0o'],
  [/^[-+]?(?:0|[1-9]\d*)$/, ''],
];

const [least, most, mostUnsigned] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];

/** Returns an integer of 64 bits, signed or not; `undefined` for other texts. */
function integerIn(text: string): bigint | undefined {
  const signed = /^(0b)([-+][01]+)$/.exec(text); // Go takes the sign after the prefix, too.
  if (signed !== null) return integerIn(`${signed[2]?.charAt(0)}0b${signed[2]?.slice(1)}`);
  const form = forms.find(([pattern]) => pattern.test(text));
  if (form === undefined || text.length > longestInteger) return undefined;
  const isSigned = /^[-+]/.test(text);
  const digits = text.slice(isSigned ? 1 : 0).replace(/^0[box]?(?=.)/i, '');
  const size = BigInt(form[1] + digits);
  const integer = text.startsWith('-') ? -size : size;
  return integer >= least && integer <= (isSigned ? most : mostUnsigned) ? integer : undefined;
}

/** The sign, the prefix and 64 bits. Zeros before them are not worth the time that a long text takes. */
const longestInteger = 1000;

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** Returns a number with a fraction or an exponent; `undefined` for other texts, and for numbers beyond 64 bits. */
function floatIn(text: string): number | undefined {
  const value = float.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Returns the text of a key that is a plain scalar: kubectl reads its value, and writes it as JSON does.
 *
 * @param text The key: `yes`, `010`, `1.10`, `name`.
 * @returns The text: `true`, `8`, `1.1`, `name`; `undefined` for a key that kubectl refuses, such as `null`.
 */
export function plainKey(text: string): string | undefined {
  const value = plainValue(text);
  if (value === null) return undefined;
  if (typeof value !== 'number') return String(value);
  const integer = integerIn(text.replaceAll('_', ''));
  if (integer === undefined) return floatText(Math.fround(value));
  return integer > most ? undefined : String(integer);
}

/** Returns the shortest text of a number of 32 bits, as Go writes it. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  let text = '';
  for (let digits = 0; Math.fround(Number(text)) !== value || text === ''; digits += 1)
    text = value.toExponential(digits);
  const [digits = '', power = ''] = text.split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(text));
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
