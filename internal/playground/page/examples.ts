import type { Example } from '../src/example.ts';

/** Written by the build, as JSON: the bundler puts other values into the part that each page loads. */
declare const EXAMPLES: string;

/** All examples. The page loads them when one is chosen. */
export const examples: readonly Example[] = JSON.parse(EXAMPLES);
