import fc from 'fast-check';
import { propertySeed } from './lib/property-seed.ts';
import { createRandom } from './lib/random.ts';

// Vitest runs this before each file of tests: all that is random begins anew with it, so no test depends on luck or on what ran before.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed });
const { int } = createRandom(propertySeed);
Math.random = () => int(2 ** 32) / 2 ** 32;
