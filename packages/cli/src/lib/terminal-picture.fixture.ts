/** The SVG attributes for escape sequences of a terminal. Any other sequence resets them. */
const styles: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold"',
  '2': 'opacity="0.6"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#7ee787"',
  '33': 'fill="#e3b341"',
  '34': 'fill="#79c0ff"',
  '35': 'fill="#d2a8ff"',
  '36': 'fill="#76e3ea"',
};

const character = { width: 7.8, height: 18 };
const margin = 16;

/**
 * Returns a picture of a terminal as SVG, with the colours of the text.
 *
 * @param title The description of the picture for screen readers.
 * @param text The text on the terminal, with its escape sequences for colours.
 */
export function terminalPicture(title: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const longest = Math.max(...lines.map((line) => partsOf(line).reduce((sum, { shown }) => sum + shown.length, 0)));
  const [width, height] = [longest * character.width + 2 * margin, lines.length * character.height + 2 * margin];
  const rows = lines.map((line, index) => {
    const y = margin + (index + 0.75) * character.height;
    const spans = partsOf(line).map(({ shown, style }) => `<tspan${style}>${escaped(shown)}</tspan>`);
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" width="${Math.ceil(width)}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" rx="8" fill="#161b22"/>',
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

interface Part {
  readonly shown: string;
  readonly style: string;
}

/** Returns the parts of a line, each in one style. */
function partsOf(line: string): readonly Part[] {
  const [first = '', ...others] = line.split('\u001b[');
  const active = new Map<string, string>();
  const parts = others.map((part): Part => {
    const [, code = '', shown = ''] = /^(\d+)m(.*)$/.exec(part) ?? [];
    const style = styles[code];
    if (style === undefined) active.clear();
    else active.set(style.replace(/=.*/, ''), style);
    return { shown, style: [...active.values()].map((it) => ` ${it}`).join('') };
  });
  return [{ shown: first, style: '' }, ...parts].filter(({ shown }) => shown !== '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
