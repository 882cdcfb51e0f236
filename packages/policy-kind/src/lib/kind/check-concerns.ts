import { PolicyMachineryError, parsePointer } from '@policy-machinery/resource';
import { type ConcernField, concernNames } from './concern-field.ts';

/**
 * Refuses concerns that do not exist, which would make a hole of a protection.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`.
 * @throws {TypeError} If a pointer is malformed.
 */
export function checkConcerns(kind: string, fields: readonly ConcernField[] = []): void {
  for (const { concern, pointer } of fields) {
    parsePointer(pointer);
    if (concernNames.includes(concern)) continue;
    const message = `${kind} serves the concern ${concern}, which does not exist; use one of ${concernNames.join(', ')}`;
    throw new PolicyMachineryError('invalid-policy-kind', message);
  }
}
