import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Issue, locatorOf } from '../../index.ts';
import { type ManifestOptions, parseManifests } from '../../manifests.ts';
import { issuesIn, service } from './issues.fixture.ts';

const locators = (text: string): readonly string[] =>
  parseManifests(text).resources.map((resource) => locatorOf(resource));

const specs = (text: string) => parseManifests(text).resources.map(({ spec }) => spec);

/** Documents with the JSON that kubectl makes of them, or `null` where it refuses them. */
const documents: Record<string, unknown> = Object.fromEntries(
  Object.entries<unknown>(
    JSON.parse(readFileSync(new URL('../../../vectors/kubectl-yaml.json', import.meta.url), 'utf8')).documents,
  ).filter(([text]) => !text.startsWith('%')),
);

/** The documents among them that are refused here, since kubectl silently drops one of two values. */
const repeatsKey = /^(?:a: 1\na: 2|1: a\n'1': b|010: a\n8: b|yes: 1\ntrue: 2)/;

describe('parseManifests', () => {
  describe('on documents', () => {
    it('reads one YAML document', () => {
      expect(parseManifests('apiVersion: v1\nkind: Service\nmetadata:\n  name: cart\n').resources).toEqual([
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' } },
      ]);
    });

    it('reads many, in their order, and can be iterated', () => {
      const manifests = parseManifests(`${service('b')}---\n${service('a')}...\n---\n${service('c')}`);
      expect([...manifests].map(({ metadata }) => metadata.name)).toEqual(['b', 'a', 'c']);
      expect([...manifests]).toEqual(manifests.resources);
    });

    it('reads several texts', () => {
      const texts = [
        { source: 'a.yaml', text: service('a') },
        { source: 'b.json', text: '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}}' },
      ];
      expect(parseManifests(new Set(texts)).resources).toHaveLength(2);
      expect(parseManifests({ source: 'a.yaml', text: service() }).resources).toHaveLength(1);
    });

    it.each([
      ['nothing', ''],
      ['blank lines', '\n\n  \n'],
      ['comments', '# one\n# two\n'],
      ['empty documents', '---\n---\n# comment\n---\n...\n'],
      ['null', 'null\n---\n~\n'],
      ['a byte order mark', '\uFEFF'],
    ])('reads no resource from %s', (_, text) => {
      expect(locators(text)).toEqual([]);
    });

    it('skips empty documents between others', () => {
      expect(locators(`---\n---\n${service('a')}---\n# nothing\n---\n${service('b')}---\n`)).toEqual([
        'service:a',
        'service:b',
      ]);
    });

    it.each([
      ['CRLF line endings', service().replaceAll('\n', '\r\n')],
      ['a byte order mark', `\uFEFF${service()}`],
      ['JSON behind a byte order mark', '\uFEFF{"apiVersion":"v1","kind":"Service","metadata":{"name":"cart"}}'],
      ['JSON between blank lines', '\n {"apiVersion":"v1","kind":"Service","metadata":{"name":"cart"}} \n'],
      ['flow-style YAML', '{apiVersion: v1, kind: Service, metadata: {name: cart}}'],
    ])('reads %s', (_, text) => {
      expect(parseManifests(text).resources).toEqual([
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' } },
      ]);
    });

    it('reads the same from JSON and from YAML', () => {
      const json = fc
        .jsonValue({ maxDepth: 4 })
        .map((value) => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'x')));
      fc.assert(
        fc.property(json, (spec) => {
          const resource = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, spec };
          expect(parseManifests(JSON.stringify(resource)).resources).toEqual([resource]);
          expect(parseManifests(JSON.stringify(resource, null, '\t')).resources).toEqual([resource]);
          const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const;
          const yaml = stringify(resource, { aliasDuplicateObjects: false, ...quoted });
          expect(parseManifests(yaml).resources).toEqual([resource]);
        }),
      );
    });
  });

  describe('on YAML values', () => {
    it('reads scalars as kubectl does', () => {
      const text = `${service()}spec: {a: yes, b: off, c: 2024-05-01, d: true, e: 010, f: 0x1F, g: 0o17, h: "1", i: 1e3, j: !!str 1}\n`;
      expect(specs(text)).toEqual([
        { a: true, b: false, c: '2024-05-01', d: true, e: 8, f: 31, g: 15, h: '1', i: 1000, j: '1' },
      ]);
    });

    it('reads scalar keys as kubectl does, and refuses null', () => {
      expect(specs(`${service()}spec: {80: a, on: b, 1.10: c, "on": d, 010: e}\n`)).toEqual([
        { 80: 'a', true: 'b', '1.1': 'c', on: 'd', 8: 'e' },
      ]);
      expect(issuesIn(`${service()}spec: {~: a}\n`)).toEqual([
        'manifest:4:8: error: a key is null, or a number beyond 64 bits; quote it to make it a string [yaml-syntax]',
      ]);
    });

    it.each(Object.entries(documents))('reads %j as kubectl does', (text, answer) => {
      const lines = text.split('\n').map((line) => `  ${line}\n`);
      const resource = `${service()}spec:\n${lines.join('')}`;
      if (answer === null || repeatsKey.test(text)) expect(issuesIn(resource)).not.toEqual([]);
      else expect(JSON.parse(JSON.stringify(specs(resource)))).toEqual([answer]);
    });

    it('resolves aliases and merge keys', () => {
      const text = `${service()}spec:
  base: &base { port: 80, protocol: TCP }
  copy: *base
  merged: { <<: *base, port: 443 }
  both: { <<: [{ port: 1 }, *base] }
  late: { port: 443, <<: *base }
`;
      const base = { port: 80, protocol: 'TCP' };
      expect(specs(text)).toEqual([
        { base, copy: base, merged: { ...base, port: 443 }, both: { ...base, port: 1 }, late: base },
      ]);
    });

    it('reads tagged merges, and aliases as keys with and without a space before the colon', () => {
      const text = `${service()}spec:
  name: &app cart
  base: &base { port: 80 }
  merged:
    !!merge <<: *base
    port: 443
  controllers:
    *app:
      replicas: 2
  services: { *app : 1 }
`;
      expect(specs(text)).toEqual([
        {
          name: 'cart',
          base: { port: 80 },
          merged: { port: 443 },
          controllers: { cart: { replicas: 2 } },
          services: { cart: 1 },
        },
      ]);
    });

    it('refuses lists and objects as keys, by an alias as well', () => {
      expect(issuesIn(`${service()}spec:\n  list: &list [1]\n  *list : 2\n`)).not.toEqual([]);
      expect(issuesIn(`${service()}spec: { *nothing : 2 }\n`)).not.toEqual([]);
    });

    it('takes constructor, prototype and toString for data', () => {
      const [spec] = specs(`${service()}spec: {constructor: {prototype: {polluted: sure}}, toString: 1}\n`);
      expect(spec).toEqual({ constructor: { prototype: { polluted: 'sure' } }, toString: 1 });
      expect({}).not.toHaveProperty('polluted');
    });
  });

  describe('on lists', () => {
    const item = (name: string) => `{ apiVersion: v1, kind: Service, metadata: { name: ${name} } }`;

    it.each([
      ['a List', `apiVersion: v1\nkind: List\nitems:\n- ${item('a')}\n- ${item('b')}\n`],
      [
        'a JSON List',
        `{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":[${[
          '{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}}',
          '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}}',
        ]}]}`,
      ],
      ['a typed list', 'apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: { name: a }\n- metadata: { name: b }\n'],
      [
        'lists in lists',
        `kind: List\nitems:\n- { kind: List, items: [${item('a')}] }\n- { apiVersion: v1, kind: ServiceList, items: [{ metadata: { name: b } }] }\n`,
      ],
    ])('takes %s apart', (_, text) => {
      expect(locators(text)).toEqual(['service:a', 'service:b']);
      expect(parseManifests(text).resources[0]).toEqual({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } });
    });

    it('gives the type of a list to items without any', () => {
      const items = '[{ metadata: { name: a } }, { apiVersion: v1, kind: Pod, metadata: { name: b } }]';
      expect(locators(`apiVersion: v1\nkind: ServiceList\nitems: ${items}\n`)).toEqual(['service:a', 'pod:b']);
      expect(issuesIn(`apiVersion: v1\nkind: ServiceList\nitems: [{ kind: Pod, metadata: { name: a } }]\n`)).toEqual([
        expect.stringContaining('(/items/0/apiVersion) [no-kubernetes-object]'),
      ]);
    });

    it('reads the items of any object, as kubectl does, and not the object', () => {
      expect(locators(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\nitems:\n- ${item('hidden')}\n`)).toEqual(
        ['service:hidden'],
      );
    });

    it.each(['items: []', 'items: null', 'items:'])('reads no resource from a list with %s', (items) => {
      expect(locators(`apiVersion: v1\nkind: List\n${items}\n`)).toEqual([]);
    });

    it('reads a resource with a kind that ends with List as a resource, if it lacks items', () => {
      const text = 'apiVersion: a.example/v1\nkind: AllowList\nmetadata: { name: office }\n';
      expect(locators(text)).toEqual(['allowlist.a.example:office']);
    });

    it('reports items that are not resources, each with its position', () => {
      expect(issuesIn('apiVersion: v1\nkind: List\nitems:\n- null\n- 5\n- kind: Pod\n  metadata: {}\n- [a]\n')).toEqual(
        [
          'manifest:4:3: error: not a Kubernetes object but null; set apiVersion, kind and metadata (/items/0) [no-kubernetes-object]',
          'manifest:5:3: error: not a Kubernetes object but a number; set apiVersion, kind and metadata (/items/1) [no-kubernetes-object]',
          'manifest:6:3: error: not a Kubernetes object: apiVersion is missing; set it to group/version, or to the version alone in the core group: "v1" (/items/2/apiVersion) [no-kubernetes-object]',
          'manifest:7:3: error: not a Kubernetes object: metadata.name is missing; set it, without "/" and "#" (/items/2/metadata/name) [no-kubernetes-object]',
          'manifest:8:3: error: not a Kubernetes object but a list; set apiVersion, kind and metadata (/items/3) [no-kubernetes-object]',
        ],
      );
    });
  });

  describe('on values that are not resources', () => {
    it.each([
      ['manifest:1:1: error: not a Kubernetes object but "hello"; set apiVersion, kind and metadata', 'hello'],
      [
        'manifest:2:1: error: not a Kubernetes object but a list; set apiVersion, kind and metadata',
        '# values\n- a\n- b\n',
      ],
      [
        'manifest:2:3: error: not a Kubernetes object: kind is a number; set it to letters, digits and "-": "Service" (/kind)',
        '{ "apiVersion": "v1",\n  "kind": 5, "metadata": { "name": "a" } }',
      ],
      [
        'manifest:3:1: error: not a Kubernetes object: metadata.name is missing; set it, without "/" and "#" (/metadata/name)',
        'apiVersion: v1\r\nkind: Service\r\nmetadata:\r\n  nme: a\r\n',
      ],
      [
        'manifest:1:1: error: not a Kubernetes object: metadata.name is missing; set it, without "/" and "#" (/metadata/name)',
        '\uFEFFapiVersion: v1\nkind: Service\n',
      ],
    ])('reports %s', (line, text) => {
      expect(issuesIn(text)).toEqual([`${line} [no-kubernetes-object]`]);
    });

    it('reports all faults of all texts', () => {
      const texts = [
        { source: 'a.yaml', text: `${service('a')}spec: [\n---\nkind: Service\n` },
        { source: 'b.json', text: '{\n  "kind": ,\n}' },
        { source: 'c.yaml', text: service('c') },
        { source: 'd.yaml', text: 'true' },
      ];
      const where = issuesIn(texts).map((line) => line.replace(/ error: .*\[/, ' ['));
      expect(where).toEqual(
        expect.arrayContaining(['a.yaml:6:1: [no-kubernetes-object]', 'd.yaml:1:1: [no-kubernetes-object]']),
      );
      expect(where.some((line) => line.startsWith('a.yaml:5:1: [yaml-syntax]'))).toBe(true);
      expect(where.some((line) => line.startsWith('b.json:'))).toBe(true);
      expect(where.some((line) => line.startsWith('c.yaml'))).toBe(false);
    });
  });

  describe('on duplicates', () => {
    it('names both places', () => {
      const texts = [
        { source: 'a.yaml', text: `# first\n${service()}` },
        { source: 'b.yaml', text: `${service('other')}---\n# second\n${service()}` },
      ];
      expect(issuesIn(texts)).toEqual([
        'b.yaml:6:1: error: declared twice, first at a.yaml:2:1; remove one of the two (service:cart) [duplicate-resource]',
      ]);
    });

    it('can leave out repeated declarations with the same content, in any order', () => {
      const again = '{ kind: Service, metadata: { name: cart, labels: { a: b } }, apiVersion: v1 }';
      const text = `{ apiVersion: v1, kind: Service, metadata: { labels: { a: b }, name: cart } }\n---\n${again}`;
      const read = (more: string) => parseManifests(text + more, { equalDuplicates: 'ignored' }).resources.length;
      expect(read('')).toBe(1);
      expect(() => read(`\n---\n${again.replace('b }', 'c }')}`)).toThrow('declared twice, first at manifest:1:1');
    });

    it('finds them among the items of a list, and across versions', () => {
      const text = `kind: List
items:
- { apiVersion: apps/v1, kind: Deployment, metadata: { name: a, namespace: b } }
- { apiVersion: apps/v1beta1, kind: Deployment, metadata: { name: a, namespace: b } }
`;
      expect(issuesIn(text)).toEqual([
        'manifest:4:3: error: declared twice, first at manifest:3:3; remove one of the two (deployment.apps:b/a) [duplicate-resource]',
      ]);
    });

    it.each([
      ['in another namespace', 'metadata: { name: cart, namespace: prod }'],
      ['with another name', 'metadata: { name: basket }'],
    ])('takes a resource %s for another one', (_, metadata) => {
      expect(issuesIn(`${service()}---\napiVersion: v1\nkind: Service\n${metadata}\n`)).toEqual([]);
    });

    it('stops at the thousandth issue', () => {
      const attempt = () => parseManifests(`${service()}---\n`.repeat(2000));
      expect(attempt).toThrow('The manifests cannot be used; these are the first 1000 issues\n');
      expect(issuesIn(`${service()}---\n`.repeat(2000))).toHaveLength(1000);
    });
  });

  describe('with onIssue', () => {
    const read = (text: string, options?: ManifestOptions) => {
      const issues: Issue[] = [];
      const { resources } = parseManifests(text, { ...options, onIssue: (issue) => issues.push(issue) });
      return { codes: issues.map(({ code }) => code), names: resources.map(({ metadata }) => metadata.name) };
    };

    it.each([
      ['a syntax error', 'a: [}\n', ['yaml-syntax']],
      ['no resource', 'a: 1\n', Array(3).fill('no-kubernetes-object')],
      ['an unsafe key', `${service('x')}spec: {__proto__: 1}\n`, ['unsafe-key']],
      ['a value that is no JSON', `${service('x')}spec: .nan\n`, ['no-json']],
      ['a key that comes twice', `${service('x')}kind: Pod\n`, ['duplicate-key']],
      ['too deep nesting', `${service('x')}spec: ${'['.repeat(200)}${']'.repeat(200)}\n`, ['too-deep']],
      ['an alias to nothing', `${service('x')}spec: *y\n`, ['bad-alias']],
      ['a duplicate', service('a'), ['duplicate-resource']],
    ])('returns the valid resources around %s', (_, bad, codes) => {
      const { codes: found, names } = read(`${service('a')}---\n${bad}---\n${service('b')}`);
      expect(names).toEqual(['a', 'b']);
      expect([...new Set(found)]).toEqual([...new Set(codes)]);
    });

    it('returns the valid items of a list, and the first of two resources with the same name', () => {
      const text =
        'apiVersion: v1\nkind: ServiceList\nitems: [{metadata: {name: a}, spec: 1}, 5, {metadata: {name: a}, spec: 2}]\n';
      expect(read(text)).toEqual({ codes: ['no-kubernetes-object', 'duplicate-resource'], names: ['a'] });
    });

    it('receives every issue, for any number of issues', () => {
      expect(read(`${service()}---\n`.repeat(1500)).codes).toHaveLength(1499);
    });
  });
});

describe('Manifests.locate', () => {
  const manifests = parseManifests({
    source: 'cluster.yaml',
    text: ['apiVersion: v1', 'kind: Service', 'metadata: { name: cart }', 'spec:', '  ports: many'].join('\n'),
  });
  const issue = { code: 'wrong', message: 'wrong', severity: 'error' as const };

  it('returns the position of an issue about a resource, field by field', () => {
    const located = manifests.locate({ ...issue, resource: 'service:cart', pointer: '/spec/ports' });
    expect(located).toEqual({
      ...issue,
      resource: 'service:cart',
      pointer: '/spec/ports',
      position: { source: 'cluster.yaml', line: 5, column: 3 },
    });
  });

  it('finds a resource without a namespace in the default namespace', () => {
    expect(manifests.locate({ ...issue, resource: 'service:default/cart' }).position?.line).toBe(1);
  });

  it('does not change issues about other resources, or with a position', () => {
    const elsewhere = { ...issue, resource: 'service:prod/other' };
    const placed = { ...issue, resource: 'service:cart', position: { source: 'x', line: 9, column: 9 } };
    expect(manifests.locate(issue)).toBe(issue);
    expect(manifests.locate(elsewhere)).toBe(elsewhere);
    expect(manifests.locate(placed)).toBe(placed);
  });
});

describe('positionOf', () => {
  const at = (text: string, pointer?: string, index = 0) => {
    const manifests = parseManifests({ source: 'f', text });
    const resource = manifests.resources[index];
    if (resource === undefined) throw new Error('no such resource');
    const position = manifests.positionOf(resource, pointer);
    return `${position?.source}:${position?.line}:${position?.column}`;
  };

  const yaml = `# comment
apiVersion: v1
kind: Service
metadata:
  name: cart
spec:
  ports:
  - name: http
    port: 80
  - &tls { name: https, port: 443, a/b: 1 }
  - *tls
  - { <<: *tls, port: 444 }
`;

  it.each([
    ['', 'f:2:1'],
    ['/metadata', 'f:4:1'],
    ['/metadata/name', 'f:5:3'],
    ['/spec/ports/0', 'f:8:5'],
    ['/spec/ports/0/port', 'f:9:5'],
    ['/spec/ports/1/port', 'f:10:25'],
    ['/spec/ports/1/a~1b', 'f:10:36'],
  ])('finds the field %j in YAML', (pointer, position) => {
    expect(at(yaml, pointer)).toBe(position);
    expect(at(yaml.replaceAll('\n', '\r\n'), pointer)).toBe(position);
  });

  it.each([
    ['a missing field', '/spec/type', 'f:6:1'],
    ['a missing object', '/status/conditions/0', 'f:2:1'],
    ['a missing item', '/spec/ports/9/port', 'f:7:3'],
    ['a key of a list', '/spec/ports/port', 'f:7:3'],
    ['a field of a scalar', '/metadata/name/first', 'f:5:3'],
    ['a field behind an alias', '/spec/ports/2/port', 'f:11:5'],
    ['a merged field', '/spec/ports/3/name', 'f:12:5'],
  ])('points for %s to the closest thing around it', (_, pointer, position) => {
    expect(at(yaml, pointer)).toBe(position);
  });

  it('finds fields in later documents', () => {
    expect(at(`${service('a')}---\n# b\n${service('b')}`, '', 1)).toBe('f:6:1');
    expect(at(`# c\n---\n${service('a')}...\n---\n${service('b')}`, '/kind', 1)).toBe('f:9:1');
  });

  it.each(['  ', '\t'])('finds fields in JSON that is indented with %j', (indent) => {
    const text = JSON.stringify(
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', labels: { 'a"b': 'c' } } },
      null,
      indent,
    );
    expect(at(text, '')).toBe('f:1:1');
    expect(at(text, '/metadata/name')).toBe(`f:5:${2 * indent.length + 1}`);
    expect(at(text, '/metadata/labels/a"b')).toBe(`f:7:${3 * indent.length + 1}`);
  });

  it('finds the items of lists, and fields that come from the list', () => {
    const text = 'apiVersion: v1\nkind: ServiceList\nitems:\n- metadata:\n    name: a\n- metadata:\n    name: b\n';
    expect(at(text, '', 1)).toBe('f:6:3');
    expect(at(text, '/metadata/name', 1)).toBe('f:7:5');
    expect(at(text, '/kind', 1)).toBe('f:6:3');
  });

  it('points to the start of JSON that is too large to parse', () => {
    const manifests = parseManifests('\n{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}', {
      limits: { yamlCharacters: 10 },
    });
    const [resource] = manifests.resources;
    expect(resource && manifests.positionOf(resource, '/kind')).toEqual({ source: 'manifest', line: 1, column: 1 });
  });

  it('does not find other resources', () => {
    const manifests = parseManifests(service());
    expect(manifests.positionOf({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' } })).toBeUndefined();
  });

  it('refuses a malformed pointer', () => {
    expect(() => at(yaml, 'spec')).toThrow(TypeError);
  });
});
