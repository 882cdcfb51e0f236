/** The fonts of texts in drawings, by the class of the text: as the style has them. */
const fonts = new Map<string, string>();

let canvas: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in the font that the page has for a class. */
function widthOf(text: string, className: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return text.length * 8;
  canvas.font = fontOf(className);
  return canvas.measureText(text).width;
}

function fontOf(className: string): string {
  const knownFont = fonts.get(className);
  if (knownFont !== undefined) return knownFont;
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  probe.setAttribute('class', className);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.append(probe);
  const holder = document.createElement('div');
  holder.className = 'drawing';
  holder.append(svg);
  document.body.append(holder);
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(probe);
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  holder.remove();
  fonts.set(className, font);
  return font;
}

/**
 * Returns a text that fits a width, in the font that is there. A longer one loses its middle, because names that begin alike differ at their ends.
 *
 * @param width The width, in pixels.
 * @param className The class of the text in a drawing.
 */
export function fitted(text: string, width: number, className: string): string {
  if (widthOf(text, className) <= width) return text;
  const characters = [...text];
  const shortened = (kept: number): string => {
    const head = Math.ceil(kept / 2);
    return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
  };
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (widthOf(shortened(middle), className) <= width) fits = middle;
    else tooMany = middle;
  }
  return shortened(fits);
}
