import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readManifests } from '@policy-machinery/resource/node';
import { type Verified, verifyManifests } from './verify-manifests.ts';

const folder = fileURLToPath(new URL('../manifests', import.meta.url));

/** Verifies the guarantees of each file, by its name without the ending. */
export async function mistakes(): Promise<ReadonlyMap<string, Verified>> {
  const verified = new Map<string, Verified>();
  for (const file of readdirSync(folder).sort()) {
    verified.set(file.replace('.yaml', ''), verifyManifests(await readManifests(`${folder}/${file}`)));
  }
  return verified;
}
