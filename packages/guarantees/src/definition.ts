export { guaranteeDefinition, guaranteeKind } from './lib/model/definition.ts';
