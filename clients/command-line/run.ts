import { JobgateError } from 'jobgate-client';
import { candidates } from './complete.ts';
import { Failed } from './failed.ts';
import { commandHelp, helpText, nounHelp } from './help.ts';
import { UsageError } from './input/usage-error.ts';
import { Invocation, type WithoutService } from './invocation.ts';
import { find, verbsOf, type Found } from './lookup.ts';
import { checkNames, parse } from './parse.ts';
import { refusalOf } from './service/refusal.ts';
import { Service } from './service/service.ts';
import type { Variables } from './stores.ts';
import { Terminal, type Surroundings } from './terminal.ts';
import { watch } from './watch.ts';

const MISTYPED = 2;

/**
 * Runs a command.
 *
 * @param version of the program.
 * @returns the exit code of the process.
 */
export async function runCommand(
  words: readonly string[],
  around: Surroundings,
  version: string,
  without: WithoutService,
): Promise<number> {
  const terminal = new Terminal(around);
  const [first, ...rest] = words;
  try {
    if (first === 'help') terminal.print(help(rest, version));
    else if (first === 'complete') terminal.print((await candidates(rest, around.env)).join('\n'));
    else if (isHelp(rest)) terminal.print(help([first ?? ''], version));
    else await run(find(words), around.env, terminal, without);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Failed)) throw error;
    terminal.report(`jobgate: ${error.message}`);
    return error instanceof UsageError ? MISTYPED : error.code;
  }
}

/** Of a noun alone, `-h` explains all its commands, not the one for which the noun is short. */
function isHelp(options: readonly string[]): boolean {
  return options.length === 1 && ['-h', '--help'].includes(options[0] ?? '');
}

/** @throws UsageError when the command does not exist. */
function help(words: readonly string[], version: string): string {
  const [first, second] = words;
  if (first === undefined) return helpText(version);
  return second === undefined && verbsOf(first).length > 0
    ? nounHelp(first)
    : commandHelp(find(words).command);
}

/** @throws UsageError for an error in the command line, Failed when the command fails. */
async function run(
  { command, args }: Found,
  environment: Variables,
  terminal: Terminal,
  without: WithoutService,
): Promise<void> {
  const { names, options } = parse(command, args);
  if (options['help'] === true) {
    terminal.print(commandHelp(command));
    return;
  }
  checkNames(command, names);
  const service = Service.for(options, environment);
  const call = new Invocation(
    service,
    terminal,
    without,
    environment,
    command.takes,
    names,
    options,
  );
  try {
    await (call.has('watch') ? watch(command, call) : command.run(call));
  } catch (error) {
    if (error instanceof JobgateError) throw new Failed(await refusalOf(error, call));
    // An answer of another form: that of another program, or of another version of the service.
    if (error instanceof TypeError || error instanceof RangeError)
      throw new Failed(`${service.url} does not answer as jobgate does: ${error.message}`);
    throw error;
  }
}
