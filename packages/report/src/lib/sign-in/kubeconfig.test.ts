import { describe, expect, it } from 'vitest';
import { readKubeconfig } from '../../../page/read-kubeconfig.ts';

const config = (user: string, more = ''): string => `apiVersion: v1
kind: Config
current-context: shop
clusters:
- name: shop
  cluster: {server: "https://attacker.example.com"}
contexts:
- name: other
  context: {cluster: shop, user: nobody}
- name: shop
  context:
    cluster: shop
    user: ada
users:
- name: ada
  user:
${user}
${more}`;

const first = (text: string) => readKubeconfig(text).contexts[0];

describe('readKubeconfig', () => {
  it('returns the token of the current context first, and says what is wrong with the others', () => {
    expect(readKubeconfig(config('    token: abc.def-1=='))).toEqual({
      contexts: [
        { name: 'shop', token: 'abc.def-1==' },
        { name: 'other', why: 'The kubeconfig does not have the user nobody.' },
      ],
    });
  });

  it('reads JSON, and a token that looks like a number', () => {
    const text = JSON.stringify({
      contexts: [{ name: 'a', context: { user: 'b' } }],
      users: [{ name: 'b', user: { token: 'x' } }],
    });
    expect(first(text)).toEqual({ name: 'a', token: 'x' });
    expect(first(config('    token: 0x10'))).toEqual({ name: 'shop', token: '0x10' });
  });

  it.each([
    [
      'a program',
      '    exec: {command: aws, args: [eks, get-token, --cluster-name, shop]}\n    token: abc',
      'run it and paste “status.token” of what it prints: aws eks get-token --cluster-name shop –',
    ],
    ['a provider', '    auth-provider: {name: gcp}', 'the provider gcp, which kubectl has given up'],
    ['a file', '    tokenFile: /etc/shadow\n    token: abc', 'is in the file /etc/shadow, which the page cannot read'],
    [
      'a certificate',
      '    client-certificate-data: eA==\n    client-key-data: eA==',
      'Its private key should not leave your machine',
    ],
    ['a password', '    username: ada\n    password: secret', 'which API servers no longer accept'],
    ['another user', '    as: admin\n    token: abc', 'acts as another user'],
    ['nothing', '    {}', 'has no token'],
    ['a token that would end the header', '    token: "a\\r\\nx-other: b"', 'has characters that no bearer token has'],
  ])('says what to do about %s, and takes no token', (_what, user, why) => {
    expect(first(config(user))).toEqual({ name: 'shop', why: expect.stringContaining(why) });
  });

  it.each([
    ['text', 'hello', 'This is no kubeconfig'],
    ['manifests', 'kind: Service\nmetadata: {name: a}', 'This is no kubeconfig'],
    ['several documents', 'a: 1\n---\nb: 1', 'This file cannot be read'],
    ['broken YAML', 'contexts: [', 'This file cannot be read'],
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]`).join('\n')}\ncontexts: *h`,
      'This file cannot be read',
    ],
    ['deep nesting', '['.repeat(100_000), 'This file cannot be read'],
    ['too much', ' '.repeat(2 << 20), 'too large'],
    ['lists in place of objects', 'contexts: {a: b}\nusers: 3', 'no contexts'],
  ])('refuses %s', (_what, text, fault) => {
    expect(readKubeconfig(text)).toEqual({ contexts: [], fault: expect.stringContaining(fault) });
  });

  it('shows names of others without control characters, and shortens them', () => {
    const long = readKubeconfig(config(`    exec: {command: "\\e[2J${'x'.repeat(5_000)}"}`)).contexts[0]?.why ?? '';
    expect(long).toContain('\\u001b[2J');
    expect(long.length).toBeLessThan(600);
  });

  it('never leads to prototypes', () => {
    expect(
      first(
        'contexts: [{name: a, context: {user: __proto__}}]\nusers: [{name: __proto__, user: {__proto__: {token: abc}}}]',
      ),
    ).toEqual({
      name: 'a',
      why: 'The user __proto__ has no token.',
    });
  });
});
