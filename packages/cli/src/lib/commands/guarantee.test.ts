import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { bad, good } from '../covering/shop.fixture.ts';
import { readyGuarantees } from '../verifying/ready-guarantees.ts';

const run = (text: string, ...args: readonly string[]) =>
  folderWith({ 'a.yaml': text }).gwpolicy('guarantee', ...args, '-f', '@a.yaml');

describe('guarantee new', () => {
  it('writes a guarantee that explains itself, and says whether it holds', async () => {
    const { stdout, stderr, code } = await run(bad, 'new', '--every', 'authentication', '--gateway', 'infra/public');
    expect(code).toBe(0);
    expect(stderr).toContain('In this input, the answer is broken.');
    expect(stdout).toBe(`# Save it as guarantees.yaml, and verify it with: gwpolicy verify -f FOLDER guarantees.yaml

apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata:
  name: every-authentication
spec:
  # The CEL expression that must be true. It can read request, policies, concerns, taken, before, gateway, listener,
  # route, rule, backend and match.
  holds: concerns.authentication in ["covered", "not-needed"]
  # The requests that it is about: they must match all fields. The fields are gateways, listeners, hostnames, paths,
  # methods, headers, routes, backends and where.
  requests:
    gateways:
      namespaces:
        - infra
      names:
        - public
`);
  });

  it.each(Object.entries(readyGuarantees))('writes %s so that verify can read it', async (name, { settings }) => {
    const values = Object.entries({ ...settings, ...(settings.gateways && { gateways: 'public' }) });
    const written = await run(good, 'new', name, ...values.map(([key, value]) => `${key}=${value}`));
    expect(written.code, written.stderr).toBe(0);
    const folder = folderWith({ 'a.yaml': good, 'b/a.yaml': good, 'g.yaml': written.stdout });
    const { code, stderr } = await folder.gwpolicy('verify', '-f', '@a.yaml', '--baseline', '@b', '@g.yaml');
    expect([0, 1, 3, 4], stderr).toContain(code);
  });

  it.each([
    [['new', 'no-shadow'], 'no guarantee has the name no-shadow; did you mean no-shadowing?'],
    [['new', 'every-request-meets'], 'every-request-meets needs the setting kind, such as kind=SecurityPolicy'],
    [
      ['new', 'every-request-meets', 'kind=SecurtyPolicy'],
      'policies does not have the field SecurtyPolicy; use SecurityPolicy',
    ],
    [['new', 'every-request-meets', 'kin=SecurityPolicy'], 'did you mean kind?'],
    [['new', 'limits-at-most', 'kind=SecurityPolicy', 'field=a', 'most=many'], 'most must be a number'],
    [['new', '--every', 'authentication', '--gateway', 'infra/pubic'], 'public'],
    [['new'], 'name one guarantee'],
    [['old'], 'use "guarantee new" or "guarantee list"'],
  ])('refuses %j with the allowed values', async (args, text) => {
    const { code, stderr } = await run(good, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});

describe('guarantee list', () => {
  it('lists the guarantees that are available by name, with their settings', async () => {
    const { code, stdout } = await run(good, 'list');
    expect(code).toBe(0);
    for (const name of Object.keys(readyGuarantees)) expect(stdout).toContain(name);
    expect(stdout).toContain('kind=ClientTrafficPolicy field=http2.maxConcurrentStreams most=100');
  });
});
