import type { Shape } from '../../domain/values/shape.ts';

/** What an operation answers, for the documentation of its way in. */
export type Out =
  | { readonly kind: 'value'; readonly shape: Shape<unknown>; readonly description: string }
  /** A change was made, or else what it reports. */
  | { readonly kind: 'done'; readonly report?: Shape<unknown>; readonly description: string }
  | { readonly kind: 'nothing'; readonly description: string }
  /** Content of a type that its way in knows. */
  | { readonly kind: 'content'; readonly description: string };

export function answers(shape: Shape<unknown>, description: string): Out {
  return { kind: 'value', shape, description };
}

/** The answer to every call that only makes a change, or the report of one that has something to report. */
export function done(description: string, report?: Shape<unknown>): Out {
  return { kind: 'done', description, ...(report && { report }) };
}

export function nothing(description: string): Out {
  return { kind: 'nothing', description };
}

export function content(description: string): Out {
  return { kind: 'content', description };
}
