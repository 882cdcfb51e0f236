import { renderMermaidSVG } from 'beautiful-mermaid';

/** The site's own colours, which follow its theme. */
const colors = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true };

/**
 * Draws a diagram. The picture takes its colours from the page, in light and in dark, and loads nothing.
 *
 * @param text The diagram, in Mermaid's language.
 * @param id A name that no other diagram of the page has.
 * @returns The picture, as SVG.
 * @throws {Error} If the text is no diagram that can be drawn.
 */
export function diagramOf(text: string, id: string): string {
  // The library knows no codes of characters, and asks another host for its font.
  const svg = renderMermaidSVG(text.replaceAll('#35;', '#'), colors);
  return svg
    .replaceAll(/@import url\([^)]*\);/g, '')
    .replaceAll("'Inter', ", 'var(--vp-font-family-base), ')
    .replaceAll('id="arrowhead', `id="${id}-arrowhead`)
    .replaceAll('url(#arrowhead', `url(#${id}-arrowhead`)
    .replace(' style="', ' style="max-width:100%;height:auto;');
}

/**
 * Returns what a page of VitePress has in place of a diagram's text.
 *
 * @param text The diagram, in Mermaid's language.
 * @param id A name that no other diagram of the page has.
 */
export function diagramOnPage(text: string, id: string): string {
  // Vue takes no style from a template, so the picture is a value in it.
  const value = JSON.stringify(diagramOf(text, id)).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  return `<div class="diagram" v-html='${value}'></div>\n`;
}
