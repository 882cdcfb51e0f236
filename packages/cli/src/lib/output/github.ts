import { printableLines } from '@policy-machinery/resource/inner';
import type { Finding } from '../model/answer.ts';

/** The name of each severity in GitHub Actions. */
const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * Formats findings as workflow commands of GitHub Actions, which shows them as annotations of lines.
 *
 * @returns One line for each finding. Text from objects cannot begin another command.
 */
export function github(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, message, position, resource, code }) => {
      const properties = {
        ...(position === undefined
          ? {}
          : { file: position.source.replace(/^\.\//, ''), line: position.line, col: position.column }),
        title: [code, resource].filter((part) => part !== undefined).join(' '),
      };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
      return `::${commands[severity]} ${list.join(',')}::${data(message)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
