/**
 * With YAML 1.2, `yes`, `on` and timestamps stay strings; `<<` merges as in kubectl. Keys that are not scalars have no
 * counterpart in JSON. `nodeFaults` finds repeated keys, since the parser's own check takes quadratic time.
 */
export const yamlOptions = {
  version: '1.2',
  merge: true,
  prettyErrors: false,
  stringKeys: true,
  uniqueKeys: false,
  logLevel: 'silent',
} as const;
