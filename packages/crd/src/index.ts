export {
  type CustomResourceDefinition,
  type CustomResourceDefinitionOptions,
  type CustomResourceDefinitionResult,
  customResourceDefinition,
  type PrinterColumn,
} from './lib/definition/custom-resource-definition.ts';
export type { StatusForm } from './lib/definition/status-schema.ts';
export {
  type StructuralOptions,
  type StructuralReading,
  structuralSchema,
} from './lib/structural/structural-schema.ts';
