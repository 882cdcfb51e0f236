import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from './page-assets.ts';

/** Nothing is loaded, and no script or style runs but those of the page. */
const policy = [
  "default-src 'none'",
  `script-src '${pageScriptHash}'`,
  `style-src '${pageStyleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What is in the element with the data. */
export interface PageData {
  readonly type: 'application/json' | 'application/gzip';
  /** Text without markup: JSON with `<` escaped, or base64. */
  readonly text: string;
}

/** Returns the document. */
export function htmlOf(title: string, { type, text }: PageData): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<noscript>This page answers questions with a script of its own. Allow scripts for it; the page loads nothing.</noscript>
<script type="${type}" id="data">${text}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes text so that it is no markup. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
