import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from './page-assets.ts';

/** Returns the Content-Security-Policy: only the script and the style of the page run. */
function policyOf(isLive: boolean): string {
  const policy = [
    "default-src 'none'",
    `script-src '${pageScriptHash}'`,
    `style-src '${pageStyleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return [...policy, ...(isLive ? ["connect-src 'self'"] : [])].join('; ');
}

/** The content of the element with the data. */
export interface PageData {
  readonly type: 'application/json' | 'application/gzip';
  /** The text, without markup: JSON with `<` escaped, or base64. */
  readonly text: string;
}

/**
 * Returns the HTML document.
 *
 * @param data The data. Default: the page reads its data from its server, and loads nothing else.
 */
export function htmlOf(title: string, data?: PageData): string {
  const allowed = policyOf(data === undefined);
  const element = data === undefined ? '' : `<script type="${data.type}" id="data">${data.text}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<noscript>This page needs its own script to answer questions. Allow scripts for it; the page does not load anything else.</noscript>
${element}<script>${pageScript}</script>
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

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
