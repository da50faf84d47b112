import type { Command } from './command.ts';
import { optionsOf, type Option } from './common-options.ts';
import { commands } from './commands.ts';
import { firstWords, verbsOf } from './lookup.ts';
import { parse, type Parsed } from './parse.ts';
import { ContextsFile } from './service/contexts-file.ts';
import { Service } from './service/service.ts';
import type { Variables } from './stores.ts';

/** How many queues are offered. */
const QUEUES = 1000;
/** How long (ms) the user waits for them. */
const PATIENCE = 1000;

/** The candidates for the last of the words, which may be partial. */
export async function candidates(
  words: readonly string[],
  environment: Variables,
): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const begun = words.at(-1) ?? '';
  const offered = await offeredAfter(before, begun, environment);
  return offered.filter((each) => each.startsWith(begun));
}

async function offeredAfter(
  before: readonly string[],
  begun: string,
  environment: Variables,
): Promise<readonly string[]> {
  const [first, second] = before;
  if (first === undefined) return [...firstWords(), 'help'];
  const verbs = verbsOf(first);
  if (first === 'help') return second === undefined ? firstWords() : verbsOf(second);
  if (verbs.length > 0 && second === undefined) return verbs;
  const name = verbs.length > 0 ? `${first} ${second ?? ''}` : first;
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return [];
  const options = optionsOf(command);
  const [, inline, start] = /^--([^=]+)=(.*)$/s.exec(begun) ?? [];
  const last = before.at(-1) ?? '';
  const option = inline ?? (last.startsWith('--') ? last.slice(2) : '');
  if (options[option]?.value !== undefined) {
    const prefix = inline === undefined ? '' : `--${inline}=`;
    return valuesOf(option, options[option], start ?? begun, environment).map(
      (value) => prefix + value,
    );
  }
  if (begun.startsWith('-')) return Object.keys(options).map((each) => `--${each}`);
  if (name === 'completion') return ['bash', 'zsh', 'fish'];
  if (name === 'contexts use' || name === 'contexts remove') return contextsOf(environment);
  const isQueue = /^[<[]queue/.test(command.takes[0] ?? '') || name === 'queues';
  const typed = typedFor(command, before.slice(name.split(' ').length));
  return isQueue && typed?.names.length === 0 ? queuesOf(typed.options, environment) : [];
}

/** The values of an option; for a list, further values after those already typed. */
function valuesOf(
  name: string,
  { value, offered = [] }: Option,
  begun: string,
  environment: Variables,
): readonly string[] {
  if (name === 'context') return contextsOf(environment);
  if (value !== 'list') return offered;
  const listed = begun.split(',').slice(0, -1);
  const rest = offered.filter((each) => !listed.includes(each));
  return rest.map((each) => [...listed, each].join(','));
}

/** The words typed so far, if the command accepts them. */
function typedFor(command: Command, args: readonly string[]): Parsed | undefined {
  try {
    return parse(command, args);
  } catch {
    return undefined;
  }
}

function contextsOf(environment: Variables): readonly string[] {
  return Object.keys(new ContextsFile(environment).read().contexts);
}

/** The queues of the service, if it answers quickly. */
async function queuesOf(
  options: Readonly<Record<string, unknown>>,
  environment: Variables,
): Promise<readonly string[]> {
  try {
    const { client } = Service.for(options, environment);
    const signal = AbortSignal.timeout(PATIENCE);
    const { queues } = await client.queues({ length: QUEUES, signal });
    return (queues as readonly { name: string }[]).map(({ name }) => name);
  } catch {
    return [];
  }
}
