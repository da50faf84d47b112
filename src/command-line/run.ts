import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiClient, ApiError } from './api-client.ts';
import { Invocation, type Command } from './command.ts';
import { commands, commonOptions } from './commands.ts';
import { commandHelp, helpText } from './help.ts';
import { Terminal, UsageError } from './terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const [FAILED, MISTYPED] = [1, 2];

/** Runs a command. @returns the exit code of the process. */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  environment: Environment,
): Promise<number> {
  const terminal = new Terminal();
  try {
    if (name === 'help') terminal.print(help(args));
    else await run(commandNamed(name), args, environment, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.report(`jobgate: ${error.message}`);
      return MISTYPED;
    }
    if (!(error instanceof ApiError)) throw error;
    terminal.report(`jobgate: ${error.message}`);
    return FAILED;
  }
}

function help([name]: readonly string[]): string {
  return name === undefined ? helpText() : commandHelp(commandNamed(name));
}

function commandNamed(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`There is no command ${name}: jobgate help`);
  return command;
}

async function run(
  command: Command,
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { values, positionals } = parsed(command, args);
  if (values['help'] === true) {
    terminal.print(commandHelp(command));
    return;
  }
  const [least, most] = command.count;
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`Usage: jobgate ${command.name} ${command.takes}`);
  }
  await command.run(new Invocation(client(environment), terminal, positionals, values));
}

function parsed(
  { options, name }: Command,
  args: readonly string[],
): {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
} {
  const declared = Object.entries({ ...options, ...commonOptions }).map(([option, { value }]) => {
    return [option, { type: value === undefined ? 'boolean' : 'string' }] as const;
  });
  const config: ParseArgsConfig = {
    args: [...args],
    options: Object.fromEntries(declared),
    allowPositionals: true,
  };
  try {
    const { values, positionals } = parseArgs(config);
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    const [message = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${message}: jobgate help ${name}`);
  }
}

function client(environment: Environment): ApiClient {
  const url = environment['JOBGATE_URL'] ?? 'http://localhost:8080';
  const token = environment['JOBGATE_TOKEN'] ?? '';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError('JOBGATE_URL must be an http or https URL');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('JOBGATE_TOKEN must be an API token');
  return new ApiClient({ url, token });
}
