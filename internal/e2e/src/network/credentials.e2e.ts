import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, connect } from '@policy-machinery/cluster';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { accountKubeconfig } from '../account-kubeconfig.ts';
import { kubectl } from '../cluster.ts';
import { waitsLong } from '../waits-long.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 500 };

const namespace = 'credentials';
const account = { name: 'reader', namespace };
const path = `/api/v1/namespaces/${namespace}/configmaps`;

const cluster = inject('cluster');
const run = (...args: readonly string[]) => kubectl(cluster, args);

async function get(connection: Connection): Promise<number> {
  const response = await connection.request({ method: 'GET', path });
  await response.text();
  return response.status;
}

/** Makes a token that counts as long as a Secret exists. */
async function tokenBoundTo(secret: string): Promise<string> {
  await run('create', 'secret', 'generic', secret, '-n', namespace);
  const bound = ['--bound-object-kind=Secret', `--bound-object-name=${secret}`];
  return (await run('create', 'token', account.name, '-n', namespace, ...bound)).trim();
}

describe('credentials that a real API server checks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  const connections: Connection[] = [];
  /** Connects as the account, with the way to get its token that a kubeconfig has. */
  const connectAs = async (name: string, user: object): Promise<Connection> => {
    const config = JSON.parse(await accountKubeconfig(cluster, account));
    const kubeconfig = join(folder, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, JSON.stringify({ ...config, users: [{ name: account.name, user }] }), { mode: 0o600 });
    const connection = await connect({ kubeconfig });
    connections.push(connection);
    return connection;
  };
  /** Takes back a token, and waits until the API server refuses it, which it has kept in mind for some seconds. */
  const takeBack = async (secret: string, token: string): Promise<void> => {
    const holder = await connectAs(`holder-of-${secret}`, { token });
    await run('delete', 'secret', secret, '-n', namespace);
    await vi.waitFor(async () => expect(await get(holder)).toBe(401), patience);
  };
  /** A program that prints the token in a file, as soon as another file does not exist. */
  const program = (tokenFile: string, hung: string) => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: 'sh',
      args: [
        '-c',
        `while [ -e "$1" ]; do sleep 0.2; done
        printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$(cat "$0")"`,
        tokenFile,
        hung,
      ],
    },
  });

  beforeAll(async () => {
    await run('create', 'namespace', namespace);
    await run('create', 'serviceaccount', account.name, '-n', namespace);
    await run('create', 'role', 'reader', '-n', namespace, '--verb=list', '--resource=configmaps');
    const subject = `--serviceaccount=${namespace}:${account.name}`;
    await run('create', 'rolebinding', 'reader', '-n', namespace, '--role=reader', subject);
  });
  afterAll(async () => {
    for (const it of connections) it.close();
    await run('delete', 'namespace', namespace, '--ignore-not-found', '--wait=false');
  });

  it.concurrent.each(['a file', 'a program'])(
    'are read again from %s when the token has been taken back, and no request fails',
    async (source) => {
      const name = source.replace(' ', '-');
      const [tokenFile, hung] = [join(folder, `${name}.token`), join(folder, `${name}.hung`)];
      const first = await tokenBoundTo(`first-of-${name}`);
      writeFileSync(tokenFile, first);
      const connection = await connectAs(name, source === 'a file' ? { tokenFile } : program(tokenFile, hung));
      await vi.waitFor(async () => expect(await get(connection)).toBe(200), patience);
      writeFileSync(tokenFile, await tokenBoundTo(`second-of-${name}`));
      await takeBack(`first-of-${name}`, first);
      expect(await get(connection)).toBe(200);
    },
  );

  it.concurrent('are refused as long as they are the only ones, and read again with the next request', async () => {
    const tokenFile = join(folder, 'late.token');
    const token = await tokenBoundTo('late');
    writeFileSync(tokenFile, token);
    const connection = await connectAs('late', { tokenFile });
    await vi.waitFor(async () => expect(await get(connection)).toBe(200), patience);
    await takeBack('late', token);
    expect(await get(connection)).toBe(401);
    writeFileSync(tokenFile, await tokenBoundTo('later'));
    expect(await get(connection)).toBe(200);
  });

  it.runIf(waitsLong).concurrent(
    'are given up after half a minute if a program hangs, and asked for again with the next request',
    async () => {
      const [tokenFile, hung] = [join(folder, 'hung.token'), join(folder, 'hung')];
      writeFileSync(tokenFile, await tokenBoundTo('hung'));
      writeFileSync(hung, '');
      const connection = await connectAs('hung', program(tokenFile, hung));
      await expect(get(connection)).rejects.toThrow('the credentials cannot be read within 30 s');
      rmSync(hung);
      await vi.waitFor(async () => expect(await get(connection)).toBe(200), patience);
    },
  );
});
