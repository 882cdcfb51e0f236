/** A file of a folder: its text or bytes, or the path that a link leads to. */
export type Entry = string | Uint8Array | { readonly link: string };

/** A folder, by the paths of its files. */
export type Shape = Readonly<Record<string, Entry>>;

const service = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n${more}`;
const json = (name: string): string => `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${name}"}}`;
const configMap = (items: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nitems: ${items}\n`;

function utf16(text: string, isBigEndian = false): Uint8Array {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

/** Folders that kubectl and other readers may read in different ways. */
export const shapes: Readonly<Record<string, Shape>> = {
  'one document': { 'a.yaml': service('a') },
  'items in an object of another kind': { 'a.yaml': configMap(`[${json('hidden')}]`) },
  'no items in an object of another kind': { 'a.yaml': configMap('[]'), 'b.yaml': service('b') },
  'items without a type in an object of another kind': { 'a.yaml': configMap('[{metadata: {name: i}}]') },
  'a typed list': { 'a.yaml': `apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: {name: a}\n- ${json('b')}\n` },
  'a typed list with a kind and no version': {
    'a.yaml': 'apiVersion: v1\nkind: ServiceList\nitems:\n- kind: Pod\n  metadata: {name: a}\n',
  },
  'a document after the end of another': { 'a.yaml': `${service('a')}...\n${service('b')}` },
  'a document after an end and a separator': { 'a.yaml': `${service('a')}...\n---\n${service('b')}` },
  'a comment after an end': { 'a.yaml': `${service('a')}...\n# end\n` },
  'text after a separator': { 'a.yaml': `${service('a')}--- ${json('b')}\n---\n${service('c')}` },
  'a comment after a separator': { 'a.yaml': `${service('a')}--- # b\n${service('b')}` },
  'a separator in quotes': { 'a.yaml': service('a', 'spec: "x\n---\n y"\n') },
  'a directive': { 'a.yaml': `%YAML 1.1\n---\n${service('a')}` },
  'extensions in capitals': { 'a.YAML': service('a'), 'b.Json': json('b'), 'c.yaml': service('c') },
  'other extensions': { 'a.yaml.bak': service('a'), 'b.yml': service('b'), 'c.json': json('c') },
  'a hidden file and a hidden folder': { '.a.yaml': service('a'), '.git/b.yaml': service('b') },
  'a folder with the name of a file': { 'x.yaml/a.yaml': service('a') },
  'an object in a file for kustomize': { 'kustomization.yaml': service('k'), 'a.yaml': service('a') },
  'an object beside a kustomization': {
    'kustomization.yaml': `resources: [a.yaml]\n---\n${service('k')}`,
    'a.yaml': service('a'),
  },
  'an object in a file of tests': { 'a.policy-test.yaml': service('t'), 'b.yaml': service('b') },
  'an object without a namespace': { 'a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: ""}\n' },
  'a link to a file': { 'd/a.txt': service('a'), 'l.yaml': { link: 'd/a.txt' }, 'b.yaml': service('b') },
  'a link to a folder': { 'd/a.yaml': service('a'), l: { link: 'd' } },
  'UTF-16': { 'a.yaml': utf16(service('ä')), 'b.yaml': utf16(service('b'), true), 'c.json': utf16(json('c')) },
  'a byte order mark': { 'a.yaml': `\uFEFF${service('a')}`, 'b.json': `\uFEFF${json('b')}` },
  'byte order marks of files that are joined': { 'a.yaml': `\uFEFF${service('a')}---\n\uFEFF${service('b')}` },
  'a line separator in a comment': { 'a.yaml': service('a', '# x\u2028spec: {a: 1}\n') },
  'a next line in a comment': { 'a.yaml': service('a', '# x\u0085spec: {a: 1}\n') },
  'a carriage return in a comment': { 'a.yaml': service('a', '# x\rspec: {a: 1}\n') },
  'a separator after a carriage return': { 'a.yaml': `${service('a')}x: 1\r---\n${service('b')}` },
  'a next line in quotes': { 'a.yaml': service('a', 'spec: {a: "x\u0085y"}\n') },
  'Windows line ends': { 'a.yaml': `${service('a')}---\n${service('b')}`.replaceAll('\n', '\r\n') },
  'a control character': { 'a.yaml': service('a', 'spec: "\u0007"\n') },
  'an escaped key': { 'a.json': '{"apiVersion":"v1","\\u006bind":"Service","metadata":{"name":"a"}}' },
  'escaped keys, one of them twice': {
    'a.json': '{"\\u0061piVersion":"v1","kind":"A","\\u006bind":"Service","m\\u0065tadata":{"name":"a"}}',
    'b.yaml': service('b'),
  },
  'a key that comes twice': { 'a.yaml': service('a', 'spec: {a: 1}\nspec: {b: 1}\n') },
  'JSON documents in a row': { 'a.json': `${json('a')}${json('b')}\n${json('c')}` },
  'JSON, then YAML': { 'a.json': `${json('a')}\n---\n${service('b')}` },
  'a merge key and an alias': { 'a.yaml': service('a', 'x: &x {a: 1}\nspec: {<<: *x, b: *x}\n') },
  'escapes in quotes': { 'a.yaml': service('a', 'spec: {a: "\\x41\\u0042\\e\\N\\_\\L\\P\\t", b: "x\\\n  y"}\n') },
  'tabs between tokens': { 'a.yaml': service('a', 'spec:\t{\n\ta: b}\t# c\n') },
  'numbers and booleans of YAML 1.1': { 'a.yaml': service('a', 'spec: {a: 010, b: yes, c: 1_000, d: 0o7, e: "no"}\n') },
};
