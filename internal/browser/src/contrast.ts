/**
 * An expression for a page: the texts whose colour has too little contrast with what is behind them, below 4.5 as the Web Content Accessibility
 * Guidelines define it.
 */
export const textsWithLittleContrast = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (element) => {
    const frame = element.closest('.object')?.querySelector('.frame');
    if (frame) return getComputedStyle(frame).fill;
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgba(backgroundColor)[3] === 255) return backgroundColor;
    }
    return 'white';
  };
  const found = [];
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].filter((it) => it.nodeType === 3).map((it) => it.data).join('').trim();
    if (text === '' || element.matches('script, noscript, style, title, option')) continue;
    const style = getComputedStyle(element);
    const [a, b] = [element instanceof SVGElement ? style.fill : style.color, behind(element)].map((it) => light(rgba(it)));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(text + ': ' + ratio.toFixed(2));
  }
  return found;
})()`;
