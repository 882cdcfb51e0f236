import { CommanderError } from 'commander';
import { withCommandFirst } from './completion/words-before.ts';
import { createProgram } from './frame/program.ts';
import type { ExitCode } from './frame/run-command.ts';
import type { Environment } from './model/environment.ts';
import { withoutCommands } from './output/no-commands.ts';

/**
 * Runs the program.
 *
 * @param args The arguments, without the name of the program.
 * @param environment Everything that the program reads and writes.
 * @returns The exit code. Never rejects: errors are written to standard error.
 */
export async function run(args: readonly string[], given: Environment): Promise<ExitCode> {
  const environment = { ...given, stderr: outputWithoutCommands(given.stderr) };
  const { stdout, stderr, programName } = environment;
  if (args[0] === '__complete') {
    const { complete } = await import('./completion/complete.ts');
    stdout.write(await complete(args.slice(1), environment));
    return 0;
  }
  let exitCode: ExitCode = 0;
  const program = createProgram(programName, async (entry, own, options) => {
    const { runCommand } = await import('./frame/run-command.ts');
    exitCode = await runCommand(entry, own, options, environment);
  });
  const output = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(text.replace(/^error: /, `${programName}: `)),
    getOutHelpWidth: () => 100,
    getErrHelpWidth: () => 100,
  };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(withCommandFirst(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { errorMessage } = await import('./model/error-message.ts');
    stderr.write(`${programName}: ${errorMessage(error)}\n`);
    return 2;
  }
}

/** Returns an output for messages: objects and files that they name cannot make a line a command of GitHub Actions. */
function outputWithoutCommands(output: Environment['stderr']): Environment['stderr'] {
  const { isTTY } = output;
  const write = (text: string) => output.write(withoutCommands(text));
  return isTTY === undefined ? { write } : { isTTY, write };
}
