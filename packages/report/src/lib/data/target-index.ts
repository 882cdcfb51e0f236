import type { NodeId, ReportData } from './report-data.ts';

/** How the targets of a page hang together. It depends on their rows and links alone, so it stays while these do. */
export class TargetIndex {
  /** The objects, in the order of their numbers. */
  readonly objects: readonly NodeId[];
  readonly #owners: readonly (NodeId | undefined)[];
  readonly #links: ReportData['links'];
  readonly #targets: ReportData['targets'];
  #up: readonly (readonly NodeId[])[] | undefined;

  constructor({ targets, links }: Pick<ReportData, 'targets' | 'links'>) {
    this.#targets = targets;
    this.#links = links;
    const objects: NodeId[] = [];
    const owners = targets.map((): NodeId | undefined => undefined);
    for (const [id, row] of targets.entries()) {
      if (row === null || typeof row === 'number') continue;
      objects.push(id);
      owners[id] = id;
      for (let index = 3; index < row.length; index += 1) owners[Number(row[index])] = id;
    }
    this.objects = objects;
    this.#owners = owners;
  }

  /** Returns the index of some data: this one, if it has the same targets and links. */
  for(data: Pick<ReportData, 'targets' | 'links'>): TargetIndex {
    return data.targets === this.#targets && data.links === this.#links ? this : new TargetIndex(data);
  }

  /** Returns the object of a target; `undefined` if the target is gone. */
  objectOf(id: NodeId): NodeId | undefined {
    return this.#owners[id];
  }

  /** Returns the targets that link to a target. */
  upFrom(id: NodeId): readonly NodeId[] {
    this.#up ??= this.#findUp();
    return this.#up[id] ?? [];
  }

  #findUp(): readonly (readonly NodeId[])[] {
    const up = this.#targets.map((): NodeId[] => []);
    for (const [from, ends] of this.#links.entries()) for (const end of ends === 0 ? [] : ends) up[end]?.push(from);
    return up;
  }
}
