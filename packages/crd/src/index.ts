export {
  type CustomResourceDefinition,
  type CustomResourceDefinitionOptions,
  type CustomResourceDefinitionResult,
  customResourceDefinition,
  type PrinterColumn,
} from './lib/custom-resource-definition.ts';
export type { StatusForm } from './lib/status-schema.ts';
export { type StructuralOptions, type StructuralReading, structuralSchema } from './lib/structural-schema.ts';
