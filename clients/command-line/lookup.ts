import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { guess } from './input/guess.ts';
import { UsageError } from './input/usage-error.ts';

export interface Found {
  readonly command: Command;
  /** The words after its name. */
  readonly args: readonly string[];
}

/** What a noun without a verb stands for, such as `jobgate workers` or `jobgate groups mail`. */
const VERB_OF_NOUNS = ['list', 'show'];

/**
 * The command that the words name, with one or two words.
 *
 * @throws UsageError with the command that was probably meant.
 */
export function find(words: readonly string[]): Found {
  const [first = '', second = '', ...rest] = words;
  const one = named(first);
  if (one !== undefined) return { command: one, args: words.slice(1) };
  const two = named(`${first} ${second}`);
  if (two !== undefined) return { command: two, args: rest };
  const verbs = verbsOf(first);
  if (verbs.length === 0) throw new UsageError(unknown(first));
  const meant = guess(second, verbs);
  const byDefault = VERB_OF_NOUNS.map((verb) => named(`${first} ${verb}`)).find(
    (command) =>
      command !== undefined && (command.name.endsWith(' list') || !requiresNames(command)),
  );
  if (byDefault !== undefined && (hasNoVerb(second) || (requiresNames(byDefault) && !meant))) {
    return { command: byDefault, args: words.slice(1) };
  }
  throw new UsageError(
    hasNoVerb(second)
      ? `jobgate ${first} needs one of ${verbs.join(', ')}`
      : `There is no command ${first} ${second}: ${meant === undefined ? `jobgate ${first} has ${verbs.join(', ')}` : `did you mean ${first} ${meant}?`}`,
  );
}

/** The second words of the commands that begin with this word. */
export function verbsOf(noun: string): readonly string[] {
  return commands.flatMap(({ name }) => {
    const [first, verb] = name.split(' ');
    return first === noun && verb !== undefined ? [verb] : [];
  });
}

/** The first words of all commands. */
export function firstWords(): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}

function named(name: string): Command | undefined {
  return commands.find((each) => each.name === name);
}

function hasNoVerb(word: string): boolean {
  return word === '' || word.startsWith('-');
}

/** Of a command that requires none, a word that is no verb is more likely a mistyped verb. */
function requiresNames({ takes: [first = ''] }: Command): boolean {
  return first.startsWith('<');
}

function unknown(word: string): string {
  const withVerb = commands.find(({ name }) => name.endsWith(` ${word}`))?.name;
  const meant = withVerb ?? guess(word, [...firstWords(), 'help']);
  const hint = meant === undefined ? 'jobgate help lists them' : `did you mean ${meant}?`;
  return `There is no command ${word}: ${hint}`;
}
