import { StatusError, TransportError } from '@policy-machinery/cluster';
import { messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { printableLines } from '@policy-machinery/resource/inner';
import { UsageError } from './usage-error.ts';

/**
 * Returns the message for an error that ends the program.
 *
 * @param error Anything that was thrown.
 * @returns The problem and its remedy. An unexpected error comes with its stack, for a bug report.
 */
export function errorMessage(error: unknown): string {
  return printableLines(textOf(error));
}

function textOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof PolicyMachineryError) return error.message;
  if (error instanceof StatusError) return `the cluster refuses: ${error.message}`;
  if (error instanceof TransportError) {
    if (error.code === 'ENOENT') return `${error.message}; install kubectl, or name files with -f`;
    return `no answer from the cluster: ${error.message}\nName files with -f to read these instead of a cluster.`;
  }
  return error instanceof Error && error.stack !== undefined ? `this is a bug: ${error.stack}` : messageOf(error);
}
