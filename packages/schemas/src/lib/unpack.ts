import type { KubernetesObject } from '@policy-machinery/resource';
import type { PackedDefinition } from './project-schemas.ts';

/** Returns a definition as an object. It is decompressed by a common function of Node and browsers. */
export async function unpack({ gzip }: PackedDefinition): Promise<KubernetesObject> {
  const bytes = Uint8Array.from(atob(gzip), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}
