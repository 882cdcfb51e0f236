import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from '../run.ts';

/** The output of a run of the program, without the name of the folder. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder with files, and the program that reads them. */
export interface Folder {
  readonly path: string;
  /** Writes files, by their path in the folder. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs the program; `@` at the beginning of an argument stands for the folder. */
  gwpolicy(...args: readonly string[]): Promise<Printed>;
}

/** Makes a folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>): Folder {
  const path = mkdtempSync(join(tmpdir(), 'gwpolicy-'));
  const folder: Folder = {
    path,
    write(more) {
      for (const [name, text] of Object.entries(more)) {
        mkdirSync(join(path, dirname(name)), { recursive: true });
        writeFileSync(join(path, name), text);
      }
    },
    async gwpolicy(...args) {
      const [stdout, stderr]: [string[], string[]] = [[], []];
      const code = await run(
        args.map((arg) => (arg.startsWith('@') ? join(path, arg.slice(1)) : arg)),
        {
          stdin: Readable.from([]),
          stdout: { write: (text) => stdout.push(text) },
          stderr: { write: (text) => stderr.push(text) },
          env: {},
          now: () => new Date('2026-06-17T14:00:00Z'),
          programName: 'gwpolicy',
          connect: () => Promise.reject(new Error('there is no cluster')),
          kubectl: () => Promise.reject(new Error('there is no kubectl')),
          signal: new AbortController().signal,
        },
      );
      const shown = (texts: readonly string[]) => texts.join('').replaceAll(`${path}/`, '').replaceAll(path, '.');
      return { code, stdout: shown(stdout), stderr: shown(stderr) };
    },
  };
  folder.write(files);
  return folder;
}

const gatewayApi = 'gateway.networking.k8s.io';

/** A Gateway, two routes of a shop and one of parcels. */
export const routes = `
apiVersion: ${gatewayApi}/v1
kind: Gateway
metadata: { name: public, namespace: infra }
spec:
  gatewayClassName: edge
  listeners:
    - { name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }
---
apiVersion: ${gatewayApi}/v1
kind: HTTPRoute
metadata: { name: checkout, namespace: shop }
spec: { parentRefs: [{ name: public, namespace: infra }], rules: [{ name: pay, matches: [{ path: { type: PathPrefix, value: /pay } }] }] }
---
apiVersion: ${gatewayApi}/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: public, namespace: infra }], rules: [{ name: show, matches: [{ path: { type: PathPrefix, value: /cart } }] }] }
---
apiVersion: ${gatewayApi}/v1
kind: HTTPRoute
metadata: { name: track, namespace: parcels }
spec: { parentRefs: [{ name: public, namespace: infra }], rules: [{ name: all, matches: [{ path: { type: PathPrefix, value: /track } }] }] }
`;

/** Returns a policy of a kind whose definition declares how policies are merged. */
export function retries(name: string, target: string, spec: string, created = '2026-01-01T00:00:00Z'): string {
  const [namespace, own] = name.split('/');
  const [kind, targetName] = target.split(' ');
  return `
apiVersion: policies.example.com/v1
kind: RetryPolicy
metadata: { name: ${own}, namespace: ${namespace}, creationTimestamp: "${created}" }
spec:
  targetRefs: [{ group: ${gatewayApi}, kind: ${kind}, name: ${targetName} }]
${spec.replace(/^/gm, '  ')}
`;
}

/** The definition of the kind: fields in defaults, overrides or neither, and the strategies of GEP-713. */
export const retryPolicyDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: retrypolicies.policies.example.com
  labels: { gateway.networking.k8s.io/policy: Inherited }
spec:
  group: policies.example.com
  names: { kind: RetryPolicy, plural: retrypolicies }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                targetRefs:
                  type: array
                  maxItems: 16
                  items:
                    type: object
                    required: [group, kind, name]
                    properties: { group: { type: string }, kind: { type: string, enum: [Gateway, HTTPRoute] }, name: { type: string } }
                attempts: &attempts { type: integer, minimum: 0 }
                perTry: &perTry { type: string }
                defaults: &stanza
                  type: object
                  properties:
                    strategy: { type: string, enum: [atomic, patch] }
                    attempts: *attempts
                    perTry: *perTry
                overrides: *stanza
`;
