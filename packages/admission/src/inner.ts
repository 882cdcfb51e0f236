export { admissionInstruments } from './lib/review/instruments.ts';
