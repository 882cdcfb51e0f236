import type { SourceState, Transport } from '@policy-machinery/cluster';
import { readStatusError } from '@policy-machinery/cluster/inner';
import { type CustomResourceDefinition, customResourceDefinition } from '@policy-machinery/crd';
import type { Logger } from '@policy-machinery/observability';
import { formatGroupKind, groupKindKey, messageOf } from '@policy-machinery/resource';
import type { ConfiguredKind } from '../kinds/configured-kind.ts';
import { definitionDifferences } from './definition-differences.ts';

export interface DefinitionCheckContext {
  readonly connection: Transport;
  readonly policyKinds: readonly ConfiguredKind[];
  readonly log: Logger;
}

const mostDifferences = 10;

/** Warns of CustomResourceDefinitions that do not fit the declarations of policy kinds. */
export class DefinitionCheck {
  readonly #context: DefinitionCheckContext;
  /** The policy kinds that are served and not yet compared, by `groupKindKey`. */
  readonly #open = new Map<string, ConfiguredKind>();
  /** The last log line for each kind. */
  readonly #told = new Map<string, string>();

  constructor(context: DefinitionCheckContext) {
    this.#context = context;
    for (const kind of context.policyKinds) this.#open.set(groupKindKey(kind.policyKind), kind);
  }

  /** Takes the states of sources that have changed: a kind is compared when it is read, and again after it was not. */
  take(states: ReadonlyMap<string, SourceState>): void {
    for (const kind of this.#context.policyKinds) {
      const key = groupKindKey(kind.policyKind);
      const phase = states.get(key)?.phase;
      if (phase === 'synced' && this.#open.delete(key)) void this.#compare(kind);
      else if (phase !== undefined && phase !== 'synced') this.#open.set(key, kind);
    }
  }

  /** Compares the definitions of a kind. Never rejects: the controller works without the right to read definitions. */
  async #compare({ policyKind, options }: ConfiguredKind): Promise<void> {
    const { log } = this.#context;
    const kind = formatGroupKind(policyKind);
    try {
      const { definition } = customResourceDefinition(policyKind, options.definition);
      const differences = definitionDifferences(definition, await this.#installed(definition));
      this.#tell(kind, differences);
    } catch (error) {
      log.debug('a CustomResourceDefinition is not compared with its declaration', { kind, error: messageOf(error) });
    }
  }

  #tell(kind: string, differences: readonly string[]): void {
    const news = differences.join('\n');
    if (news === (this.#told.get(kind) ?? '')) return;
    this.#told.set(kind, news);
    if (differences.length === 0) return;
    const more = differences.length - mostDifferences;
    this.#context.log.warn(
      'the installed CustomResourceDefinition differs from the declared kind; apply the generated one',
      {
        kind,
        differences: differences.slice(0, mostDifferences),
        ...(more > 0 ? { more } : {}),
      },
    );
  }

  async #installed({ metadata: { name } }: CustomResourceDefinition): Promise<unknown> {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    const request = { method: 'GET', path, headers: { accept: 'application/json' } };
    const response = await this.#context.connection.request(request);
    if (response.status === 200) return response.json();
    throw await readStatusError(response, request);
  }
}
