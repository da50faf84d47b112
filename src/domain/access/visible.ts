import type { Caller } from './caller.ts';

/** The fields that clients and endpoints fill, which only tokens with the right `data` may see. */
const VALUE_FIELDS = ['data', 'returnvalue', 'progress', 'response', 'line'] as const;

type ValueField = (typeof VALUE_FIELDS)[number];

const VALUES: ReadonlySet<string> = new Set(VALUE_FIELDS);

declare const seen: unique symbol;

/** Something that may be shown to the caller that it was made for: only the functions here make it. */
export type Visible<Shown> = Shown & { readonly [seen]: true };

/** The object itself for a caller that may see values, a copy without them for any other. */
export function shownTo<Shown extends object>(
  caller: Caller,
  shown: Shown,
): Visible<Partial<Shown>> {
  return caller.may('data') ? entitled(shown) : withoutValues(shown);
}

export function withoutValues<Shown extends object>(shown: Shown): Visible<Partial<Shown>> {
  const entries = Object.entries(shown).filter(([name]) => !VALUES.has(name));
  return entitled(Object.fromEntries(entries) as Partial<Shown>);
}

/** What a caller sees although it may hold values: its operation requires the right to them, or it sent them itself. */
export function entitled<Shown>(shown: Shown): Visible<Shown> {
  return shown as Visible<Shown>;
}

/** How deep answers are searched for values. */
type Depth = readonly [0, 0, 0, 0, 0, 0];

/**
 * The parts of an answer that hold values of jobs and passed no view, `never` if there are none. An operation whose
 * answer has any does not compile.
 */
export type Unseen<Answer, Left extends readonly unknown[] = Depth> = Left extends readonly [
  unknown,
  ...infer Rest,
]
  ? typeof seen extends keyof Answer
    ? never
    : Answer extends
          | string
          | number
          | boolean
          | bigint
          | symbol
          | null
          | undefined
          | ((...given: never[]) => unknown)
      ? never
      : Answer extends readonly (infer Item)[]
        ? Unseen<Item, Rest>
        : Answer extends AsyncIterable<infer Item> | Iterable<infer Item>
          ? Unseen<Item, Rest>
          : Answer extends object
            ? string extends keyof Answer
              ? Unseen<Answer[keyof Answer], Rest>
              : ValueField & keyof Answer extends never
                ? { [Name in keyof Answer]-?: Unseen<Answer[Name], Rest> }[keyof Answer]
                : Answer
            : never
  : never;
