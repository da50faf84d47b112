import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { guess } from './input/guess.ts';
import { UsageError } from './input/usage-error.ts';

export interface Found {
  readonly command: Command;
  /** The words after its name. */
  readonly args: readonly string[];
}

/** What a noun alone stands for, such as `jobgate workers`, if that requires no arguments. */
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
  const byDefault = VERB_OF_NOUNS.map((verb) => named(`${first} ${verb}`)).find(
    (command) => command?.count[0] === 0,
  );
  if (byDefault !== undefined && (second === '' || second.startsWith('-'))) {
    return { command: byDefault, args: words.slice(1) };
  }
  const meant = guess(second, verbs);
  throw new UsageError(
    second === '' || second.startsWith('-')
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

function unknown(word: string): string {
  const meant = guess(word, [...firstWords(), 'help']);
  const hint = meant === undefined ? 'jobgate help lists them' : `did you mean ${meant}?`;
  return `There is no command ${word}: ${hint}`;
}
