/**
 * YAML 1.2 keeps `yes`, `on` and timestamps the strings that people see; `<<` merges as it does in kubectl.
 * Keys that are no scalars have no counterpart in JSON. Keys that come twice are found by `nodeFaults`: the parser's own
 * check takes quadratic time.
 */
export const yamlOptions = {
  version: '1.2',
  merge: true,
  prettyErrors: false,
  stringKeys: true,
  uniqueKeys: false,
  logLevel: 'silent',
} as const;
