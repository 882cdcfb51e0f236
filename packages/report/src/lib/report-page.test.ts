import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { verifiedKind, verify } from '@policy-machinery/guarantees';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Report } from './data/report.ts';
import { reportData, reportPage } from './report-page.ts';
import { policy, refTo, resource, worldOf } from './worlds.fixture.ts';

const now = new Date('2026-06-17T14:00:00Z');

const shop = (name = 'gw', value = '1s', codes: readonly string[] = []) =>
  worldOf([
    resource('Gateway', name, { gatewayClassName: 'edge', listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] }),
    resource('HTTPRoute', 'route', { parentRefs: [{ name }], rules: [{}] }),
    policy('TimeoutPolicy', 'patient', [refTo('Gateway', name)], {
      request: value,
      ...(codes.length > 0 && { codes }),
    }),
  ]);

/** Returns the elements and the data of a page. */
function partsOf(page: string): { readonly tags: readonly string[]; readonly data: string } {
  const [, type, text = ''] = /<script type="application\/(json|gzip)" id="data">([^<]*)<\/script>/.exec(page) ?? [];
  const data = type === 'gzip' ? gunzipSync(Buffer.from(text, 'base64')).toString() : text;
  const code = page.replaceAll(/(<(script|style)[^>]*>).*?(<\/\2>)/gs, '$1$3');
  return { tags: code.match(/<[^>]*>/g) ?? [], data };
}

describe('reportPage', () => {
  it('is the same for the same resources and time', () => {
    const [one, other] = [shop(), shop()].map((world) => reportPage({ ...world, now }));
    expect(one).toBe(other);
  });

  it('allows only its own script and style', () => {
    const page = reportPage({ ...shop(), now });
    const [, policies = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, style] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const [, script] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    expect(policies.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('links issues to the page that explains their code', () => {
    const issues = ['known', 'other'].map((code) => ({ code, severity: 'error', message: code }) as const);
    const pageOfCode = (code: string) => (code === 'known' ? 'https://example.com/known' : undefined);
    const report = new Report(JSON.parse(reportData({ ...shop(), issues, pageOfCode, now })));
    const pages = report.data.issues.map(([, , , , , page]) => (page === undefined ? undefined : report.text(page)));
    expect(pages).toEqual(['https://example.com/known', undefined]);
  });

  it('has the given outcomes of policies in place of the computed ones', () => {
    const world = shop();
    const [patient] = world.topology.policies();
    const given = { outcome: 'no-requests', message: 'No requests reach it.' };
    const outcomes = new Map([
      [patient?.locator ?? '', given],
      ['gone', given],
    ]);
    const { policies } = new Report(JSON.parse(reportData({ ...world, outcomes, now })));
    expect(policies.map(({ outcome, message }) => ({ outcome, message }))).toEqual([given]);
    const [computed] = new Report(JSON.parse(reportData({ ...world, now }))).policies;
    expect(computed?.outcome).toBe('enforced');
  });

  it('has the answers about guarantees, with the request that the page can answer', () => {
    const { topology, views } = shop();
    const kinds = views.map((view) => verifiedKind(view));
    const [open, kept] = ['!has(policies.TimeoutPolicy)', 'has(policies.TimeoutPolicy)'];
    const verdicts = verify({ topology, kinds }, [
      { name: 'kept', holds: kept },
      { name: 'open', description: 'Nothing has a timeout.', holds: open },
    ]);
    const data = JSON.parse(partsOf(reportPage({ topology, views, verdicts, now })).data);
    const textOf = (index: number) => data.texts[index];
    const rows = data.verdicts.map(([name, meaning, answer, shown]: [number, number, number, [number, number][]]) => [
      ...[name, meaning, answer].map(textOf),
      ...shown.flatMap(([sentence, question]) => [textOf(sentence), textOf(question)]),
    ]);
    expect(rows).toEqual([
      [
        'open',
        'Nothing has a timeout.',
        'broken',
        expect.stringMatching(
          /^GET http:\/\/example.com\/ is taken by HTTPRoute .*route.* and meets TimeoutPolicy .*patient$/,
        ),
        'GET http://example.com/',
      ],
      ['kept', kept, 'holds', 'for 1 class of requests', undefined],
    ]);
  });

  it('has the same elements if names and values contain markup', () => {
    const { tags } = partsOf(reportPage({ ...shop(), now, title: 'A title' }));
    const hostile = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'<>"\'&`/!-=\u202e\u2066\u200b\u2028\n ab') }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '</script><img src=x onerror=alert(1)>',
        '<!--',
        ']]>',
        '"><svg onload=a>',
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, value, title) => {
        const page = reportPage({ ...shop(name.replaceAll(/[/#]/g, '') || 'gw', value), now, title });
        const parts = partsOf(page);
        expect(parts.tags).toEqual(tags);
        expect(parts.data).not.toMatch(/[<\u200b\u202e\u2028\u2066]/);
      }),
      { numRuns: 50 },
    );
  });

  it('writes out characters that hide or reorder text', () => {
    const { data } = partsOf(reportPage({ ...shop('gw', 'a\u202eb'), now }));
    expect(data).toContain('a\\\\u202eb');
  });

  it('shows lists as YAML', () => {
    const { data } = partsOf(reportPage({ ...shop('gw', '1s', ['reset', 'two words']), now }));
    expect(data).toContain('"[reset, two words]"');
  });

  it('shortens very long values', () => {
    const { data } = partsOf(reportPage({ ...shop('gw', 'x'.repeat(1_000_000)), now }));
    expect(data).toContain('… (1000000 characters)');
    expect(data.length).toBeLessThan(10_000);
  });

  it('compresses large data', () => {
    const many = Array.from({ length: 800 }, (_, index) =>
      resource('Service', `${'long-'.repeat(45)}${index}`, { ports: [{ port: index }] }),
    );
    const small = worldOf(many.slice(0, 10));
    const large = worldOf(many);
    expect(reportPage({ ...small, now }).includes('type="application/json"')).toBe(true);
    const page = reportPage({ ...large, now });
    expect(page.includes('type="application/gzip"')).toBe(true);
    expect(JSON.parse(partsOf(page).data)).toMatchObject({ made: now.toISOString() });
  });

  it('refuses effective policies of another topology', () => {
    expect(() => reportPage({ topology: shop().topology, views: shop().views })).toThrow(TypeError);
  });

  it('shows the issues that are passed to it', () => {
    const issue = {
      code: 'odd',
      severity: 'error',
      message: 'Something is odd',
      position: { source: 'a.yaml', line: 3, column: 1 },
    } as const;
    expect(partsOf(reportPage({ ...shop(), issues: [issue], now })).data).toContain('a.yaml:3:1');
  });

  it('names the object of an issue once: as a link, or in the text if there is none', () => {
    const world = shop();
    const [policy] = world.topology.policies();
    const issues = [policy?.locator ?? '', 'httproute.gateway.networking.k8s.io:shop/gone'].map(
      (resource) => ({ code: 'odd', severity: 'error', message: 'odd', resource, pointer: '/spec' }) as const,
    );
    const report = new Report(JSON.parse(reportData({ ...world, issues, now })));
    const places = report.data.issues.map(([, , place, link]) => [report.text(place), link >= 0]);
    expect(places).toEqual([
      ['/spec', true],
      ['httproute shop/gone /spec', false],
    ]);
  });
});
