import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadPrism } from '@ruby/prism';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { homebrewFormula, krewManifest, type Release } from './manifests.ts';
import { platforms } from './platforms.ts';

const release: Release = {
  version: '0.1.0',
  homepage: 'https://github.com/example/policy-machinery',
  archives: platforms.map((platform, index) => ({ ...platform, sha256: String(index).repeat(64) })),
};

const golden = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

/** What krew checks of a manifest, by its `internal/index/validation`, and its index asks for. `npm run check:krew` runs krew's own check. */
const plugin = z.strictObject({
  apiVersion: z.literal('krew.googlecontainertools.github.com/v1alpha2'),
  kind: z.literal('Plugin'),
  metadata: z.strictObject({ name: z.string().regex(/^[\w-]+$/) }),
  spec: z.strictObject({
    version: z.string().regex(/^v\d+\.\d+\.\d+(-[\w.]+)?$/),
    homepage: z.url(),
    shortDescription: z.string().min(1).max(50),
    description: z.string().min(1),
    platforms: z
      .array(
        z.strictObject({
          selector: z.strictObject({
            matchLabels: z.strictObject({
              os: z.enum(['linux', 'darwin', 'windows']),
              arch: z.enum(['amd64', 'arm64']),
            }),
          }),
          uri: z.url({ protocol: /^https$/ }).regex(/\.tar\.gz$/),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          bin: z.string(),
        }),
      )
      .min(1),
  }),
});

describe('the manifest for krew', () => {
  it('equals its golden file', async () => {
    await expect(krewManifest(release)).toMatchFileSnapshot(golden('gwpolicy.yaml'));
  });

  it('is one that krew accepts, and has an archive for each system', () => {
    const { spec } = plugin.parse(parse(krewManifest(release)));
    expect(spec.platforms.map(({ selector, bin }) => [selector.matchLabels, bin])).toEqual(
      platforms.map((platform) => [platform, platform.os === 'windows' ? 'gwpolicy.exe' : 'gwpolicy']),
    );
    expect(new Set(spec.platforms.map(({ uri }) => uri)).size).toBe(6);
  });
});

describe('the formula for Homebrew', () => {
  it('equals its golden file', async () => {
    await expect(homebrewFormula(release)).toMatchFileSnapshot(golden('gwpolicy.rb'));
  });

  it('is Ruby', async () => {
    const ruby = await loadPrism();
    expect(ruby(homebrewFormula(release)).errors).toEqual([]);
    expect(ruby(homebrewFormula(release).replace('end', '')).errors).not.toEqual([]);
  });

  it('needs all systems that Homebrew has', () => {
    const without = { ...release, archives: release.archives.filter(({ os }) => os !== 'darwin') };
    expect(() => homebrewFormula(without)).toThrow('there is no archive for darwin arm64');
  });
});

describe('the Dockerfile', () => {
  const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8');

  it('is one that Docker can read', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('COPY', 'COPPY'))).not.toEqual([]);
  });

  it('runs as a user without rights', () => {
    expect(dockerfile).toMatch(/^USER 65532:65532$/m);
  });
});
