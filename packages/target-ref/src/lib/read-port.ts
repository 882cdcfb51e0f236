import type { JsonObject } from '@policy-machinery/resource';
import { describe, type Fault, isSet } from './field-faults.ts';

/** The port in a reference or selector, or its fault; neither if no port is named. */
export interface PortReading {
  readonly port?: number;
  readonly fault?: Required<Fault>;
}

/**
 * Reads the port that names sections in a reference or selector: `port`, or the `sectionName` of a Service that is a number.
 *
 * @param entry The reference or selector.
 * @param pointer The JSON Pointer to the entry.
 */
export function readPort({ kind, port, sectionName }: JsonObject, pointer: string): PortReading {
  if (isSet(port)) {
    if (isSet(sectionName)) {
      return { fault: { message: 'both port and sectionName are set; keep one', pointer: `${pointer}/port` } };
    }
    return isPort(port) ? { port } : { fault: { message: expected(describe(port)), pointer: `${pointer}/port` } };
  }
  if (kind !== 'Service' || typeof sectionName !== 'string' || !/^\d+$/.test(sectionName)) return {};
  const number = Number(sectionName);
  if (isPort(number)) return { port: number };
  return { fault: { message: expected(describe(sectionName)), pointer: `${pointer}/sectionName` } };
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function expected(found: string): string {
  return `is ${found}; expected the number of a port, 1 to 65535`;
}
