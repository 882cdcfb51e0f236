export { type Re2, re2 } from './lib/re2.ts';
