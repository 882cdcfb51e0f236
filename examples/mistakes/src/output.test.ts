import { readFileSync } from 'node:fs';
import { describeOutput } from '@policy-machinery/golden-output';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { describe, expect, it } from 'vitest';
import { mistakes } from './mistakes.ts';
import { report } from './report.ts';
import { verifyManifests } from './verify-manifests.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'has a request for each mistake, and what takes it when it is replayed',
  async (colors) => report(await mistakes(), colors),
);

/** What mends each mistake: a text in its file, and another in its place. */
const mended: readonly (readonly [file: string, wrong: string, right: string])[] = [
  [
    '1-selector-in-another-namespace',
    'name: customers-sign-in, namespace: infra',
    'name: customers-sign-in, namespace: bank',
  ],
  ['2-typo-in-the-second-target', 'name: catalog }', 'name: catalogue }'],
  ['3-vanished-target', 'name: tickets-v1 }', 'name: tickets }'],
  ['4-listener-without-a-policy', 'name: public, sectionName: https }', 'name: public }'],
  ['5-shadowed-override', '2026-03-01T08:00:00Z', '2026-01-01T08:00:00Z'],
];

describe('a mistake', () => {
  it.each(mended)('%s is mended by one word', (file, wrong, right) => {
    const text = readFileSync(new URL(`../manifests/${file}.yaml`, import.meta.url), 'utf8');
    expect(text.split(wrong)).toHaveLength(2);
    const answers = (source: string) =>
      verifyManifests(parseManifests({ source: file, text: source })).verdicts.map(({ answer }) => answer);
    expect(answers(text)).toEqual(['broken']);
    expect(answers(text.replace(wrong, right))).toEqual(['holds']);
  });

  it.each(['infra', 'inner'])('below one of two Gateways of a route breaks the guarantee: in %s', (namespace) => {
    const text = readFileSync(new URL('../manifests/5-shadowed-override.yaml', import.meta.url), 'utf8');
    const [gateway = '', route = '', launch = '', house = '', guarantee = ''] = text.split('---\n');
    const inner = (object: string) => object.replaceAll('infra', 'inner');
    const both = route.replace('parentRefs: [', 'parentRefs: [{ name: public, namespace: inner }, ');
    const sound = [gateway, inner(gateway), both, house, inner(house), guarantee];
    const answers = (objects: readonly string[]) =>
      verifyManifests(parseManifests({ source: 'both', text: objects.join('\n---\n') })).verdicts.map(
        (it) => it.answer,
      );
    expect(answers(sound)).toEqual(['holds']);
    expect(answers([...sound, launch.replaceAll('infra', namespace)])).toEqual(['broken']);
  });

  it('is in each file', async () => {
    expect(mended.map(([file]) => file)).toEqual([...(await mistakes()).keys()]);
  });
});
