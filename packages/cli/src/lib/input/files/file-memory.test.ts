import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileMemory } from './file-memory.ts';
import { manifestsOf } from './manifests-of.ts';

const service = (name: string, port: number): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\nspec:\n  ports: [{port: ${port}}]\n`;
const document = fc.oneof(
  fc.tuple(fc.constantFrom('cart', 'pay', 'search'), fc.nat(2)).map(([name, port]) => service(name, port)),
  fc.constantFrom('kind: {', 'a: 1', 'apiVersion: v1\nkind: Service', '# nothing', '{{ .Values }}'),
);
const files = fc.dictionary(
  fc.constantFrom('a.yaml', 'b.yaml', 'templates/c.yaml', 'kustomization.yaml'),
  fc.array(document, { maxLength: 3 }).map((documents) => documents.join('---\n')),
);

describe('files that are read again', () => {
  const textsOf = (some: Readonly<Record<string, string>>) =>
    Object.entries(some).map(([source, text]) => ({ source, text }));

  it('have the same content after any edits as after a first reading', () => {
    fc.assert(
      fc.property(fc.array(files, { minLength: 2, maxLength: 4 }), fc.boolean(), (versions, isNamed) => {
        const memory = new FileMemory();
        for (const version of versions) {
          const texts = textsOf(version);
          const { locate, unrendered, ...again } = manifestsOf(texts, () => isNamed, memory);
          const { locate: expectedPlace, unrendered: expected, ...afresh } = manifestsOf(texts, () => isNamed);
          expect(again).toEqual(afresh);
          expect(unrendered.signs).toEqual(expected.signs);
          const issue = { code: 'any', severity: 'error', message: '', resource: 'service:shop/cart' } as const;
          expect(locate(issue)).toEqual(expectedPlace(issue));
        }
      }),
    );
  });

  it('are parsed only if they have changed', () => {
    const memory = new FileMemory();
    const shop = { 'a.yaml': service('cart', 1), 'b.yaml': service('pay', 1), 'c.yaml': service('search', 1) };
    const first = manifestsOf(textsOf(shop), undefined, memory);
    expect(memory.parsed).toBe(3);
    const second = manifestsOf(textsOf({ ...shop, 'b.yaml': service('pay', 2) }), undefined, memory);
    expect(memory.parsed).toBe(1);
    expect(second.objects.map((object, at) => object === first.objects[at])).toEqual([true, false, true]);
    manifestsOf(textsOf({ 'a.yaml': service('cart', 1) }), undefined, memory);
    manifestsOf(textsOf(shop), undefined, memory);
    expect(memory.parsed).toBe(2); // What was gone is forgotten.
  });
});
