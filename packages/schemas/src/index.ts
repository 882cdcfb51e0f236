export { releasedDefinitions } from './lib/released-definitions.ts';
