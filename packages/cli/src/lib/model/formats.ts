/** The formats that `-o` accepts, with their descriptions. */
export const formats = {
  table: 'text for people',
  wide: 'the same, with more columns',
  json: 'one JSON object',
  yaml: 'one YAML document',
  name: 'one object on each line',
  markdown: 'for comments on pull requests',
  mermaid: 'a drawing for Markdown',
  dot: 'a drawing for Graphviz',
  csv: 'comma-separated values',
  html: 'a separate page',
  sarif: 'findings for code scanning',
  junit: 'findings as test results',
  github: 'findings as annotations of GitHub Actions',
} as const;

export type FormatName = keyof typeof formats;

export const listFormats = ['table', 'wide', 'json', 'yaml', 'name', 'markdown'] as const;

export const textFormats = ['table', 'json', 'yaml', 'markdown'] as const;

export const findingFormats = ['table', 'json', 'yaml', 'markdown', 'sarif', 'junit', 'github'] as const;
