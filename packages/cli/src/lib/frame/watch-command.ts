import type { CommandEntry, Request } from './command.ts';
import type { Environment } from './environment.ts';
import type { FormatName } from './formats.ts';

/** A command that answers again and again. */
export interface WatchedCommand {
  readonly entry: CommandEntry & { readonly input: 'world' };
  readonly request: Request;
  readonly format: FormatName;
  readonly environment: Environment;
}

/** Answers each time that the cluster changes. */
export async function watchCommand(_: WatchedCommand): Promise<0 | 2> {
  return 0;
}
