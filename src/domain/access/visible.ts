import type { Caller } from './caller.ts';
import { optionsShownTo } from './shown-urls.ts';

/** The fields that clients and endpoints fill, which only tokens with the right `data` may see. */
const VALUE_FIELDS = ['data', 'returnvalue', 'progress', 'response', 'line'] as const;

type ValueField = (typeof VALUE_FIELDS)[number];

/** The field of what is called, of which only callers with the right `configure` see more than the origin. */
type UrlField = 'url';

const VALUES: ReadonlySet<string> = new Set(VALUE_FIELDS);

declare const seen: unique symbol;

/** Something that may be shown to the caller that it was made for: only the functions here make it. */
export type Visible<Shown> = Shown & { readonly [seen]: true };

/**
 * The object as a caller may see it: without values for one that may not see them, and with the callback and the
 * destination of its options as far as the caller may see their URLs.
 */
export function shownTo<Shown extends object>(
  caller: Caller,
  shown: Shown,
): Visible<Partial<Shown>> {
  const seen = 'opts' in shown ? withOptionsShownTo(caller, shown) : shown;
  return caller.may('data') ? entitled(seen) : withoutValues(seen);
}

/** The object with its options as a caller may see them. */
export function withOptionsShownTo<Shown extends { readonly opts?: unknown }>(
  caller: Caller,
  shown: Shown,
): Shown {
  const { opts } = shown;
  const seen = optionsShownTo(caller, opts);
  return seen === opts ? shown : { ...shown, opts: seen };
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
 * The parts of an answer that hold values of jobs, or a URL, and passed no view, `never` if there are none. An operation whose
 * answer has any does not compile.
 */
export type Unseen<Answer, Left extends readonly unknown[] = Depth> = Left extends readonly [
  unknown,
  ...infer Rest,
]
  ? Answer extends
      | string
      | number
      | boolean
      | bigint
      | symbol
      | null
      | undefined
      | ((...given: never[]) => unknown)
    ? never
    : typeof seen extends keyof Answer
      ? never
      : Answer extends readonly (infer Item)[]
        ? Unseen<Item, Rest>
        : Answer extends AsyncIterable<infer Item> | Iterable<infer Item>
          ? Unseen<Item, Rest>
          : Answer extends object
            ? string extends keyof Answer
              ? Unseen<Answer[keyof Answer], Rest>
              : (ValueField | UrlField) & keyof Answer extends never
                ? { [Name in keyof Answer]-?: Unseen<Answer[Name], Rest> }[keyof Answer]
                : Answer
            : never
  : never;
