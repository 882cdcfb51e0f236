import { describe, expect, it } from 'vitest';
import { type Guarantee, guaranteeWarnings } from '../../index.ts';

const warningsAbout = (guarantee: Omit<Guarantee, 'name'>) =>
  guaranteeWarnings([{ name: 'g', ...guarantee }], []).map(({ pointer, message }) => [pointer, message.split(';')[0]]);

describe('guaranteeWarnings', () => {
  const what = 'request.path is the path or prefix that a match asks for: "/" also takes /cart';

  it.each<[string, string, Omit<Guarantee, 'name'>]>([
    ['what must hold', '/spec/holds', { holds: 'request.path == "/health"' }],
    ['the other request', '/spec/holds', { other: {}, holds: 'other.request.path == "/"' }],
    ['the requests', '/spec/requests/where', { holds: 'false', requests: { where: 'request.path != "/health"' } }],
    ['an exception', '/spec/except/1/where', { holds: 'false', except: [{}, { where: 'request.path == "/"' }] }],
  ])('warn of a path that may be a prefix only, in %s', (_where, pointer, guarantee) => {
    expect(warningsAbout(guarantee)).toEqual([[pointer, what]]);
  });

  it.each<[string, Omit<Guarantee, 'name'>]>([
    ['the type of the path is read, too', { holds: 'request.path == "/" && request.pathType == "Exact"' }],
    ['paths are selected', { holds: 'false', requests: { paths: [{ value: '/health' }] } }],
    ['only the method is read', { holds: 'request.method != ""' }],
  ])('are none where %s', (_what, guarantee) => {
    expect(warningsAbout(guarantee)).toEqual([]);
  });
});
