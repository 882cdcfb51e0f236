import { pathToFileURL } from 'node:url';
import type { Finding } from '../model/answer.ts';
import { findingCodes, pageOfCode } from '../model/finding-codes.ts';
import { repositoryUrl, version } from '../model/version.ts';
import { jsonText } from './documents.ts';

/**
 * Formats findings as SARIF 2.1.0, for code scanning.
 *
 * @param findings The findings. Those without a position have a logical location: the resource.
 * @param repository The address of the repository with the documentation. Default: as the package says, which a release writes into it.
 * @returns One JSON document.
 */
export function sarif(findings: readonly Finding[], repository = repositoryUrl): string {
  const rules = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = { name: 'gwpolicy', version, rules: rules.map((id) => ruleOf(id, repository)) };
  const results = findings.map((finding) => ({
    ruleId: finding.code,
    ruleIndex: rules.indexOf(finding.code),
    level: finding.severity,
    message: { text: finding.message },
    locations: [locationOf(finding)],
  }));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return jsonText(log);
}

/** Returns the rule of a code: its meaning, the remedy, and the link to the documentation. */
function ruleOf(id: string, repository: string | undefined): object {
  const documented = findingCodes.get(id);
  if (documented === undefined) return { id };
  const { means, repair } = documented;
  const page = pageOfCode(id, repository);
  return {
    id,
    shortDescription: { text: means },
    help: { text: `${means} ${repair}` },
    ...(page === undefined ? {} : { helpUri: page }),
  };
}

function locationOf({ position, resource, pointer }: Finding): object {
  const name = [resource, pointer].filter((part) => part !== undefined && part !== '').join(' ');
  return {
    ...(position === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(position.source) },
            region: { startLine: position.line, startColumn: position.column },
          },
        }),
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }),
  };
}

/** Returns a path as a URI. Relative paths stay relative: code scanning resolves them at the root of the repository. */
function uriOf(source: string): string {
  if (source.startsWith('/')) return pathToFileURL(source).href;
  return source.replace(/^\.\//, '').split(/[\\/]/).map(encodeURIComponent).join('/');
}
