/** What a life of the killed store begins with. */
export interface Life {
  readonly folder: string;
  readonly queue: string;
  readonly seed: number;
  /** How many bytes of data a job has. */
  readonly size: number;
  /** What clients hold, as far as was answered. */
  readonly held: readonly HeldJob[];
  /** The tokens of pulls that were not answered. */
  readonly unanswered: readonly string[];
  /** Whether it ends everything and stops, instead of going on until it is killed. */
  readonly isLast: boolean;
}

export interface HeldJob {
  readonly id: string;
  readonly token: string;
}

export const STATES = ['open', 'active', 'completed', 'failed', 'gone'] as const;

/** Where a job stands, as far as a client can know: `open` is every place from which it starts. */
export type Standing = (typeof STATES)[number];

export type Asked =
  | { readonly ask: 'add'; readonly name: string; readonly count: number }
  /** A pull: whoever has the token holds the job, also in the next life. */
  | { readonly ask: 'pull'; readonly token: string }
  /** A step of one job, `to` where it leads, if it is taken. The ending of a call is answered before it is on the disk. */
  | {
      readonly ask: 'step';
      readonly id: string;
      readonly to: Standing;
      readonly token?: string;
      readonly endsCall?: true;
    }
  | { readonly ask: 'pause'; readonly isPaused: boolean }
  | { readonly ask: 'schedule'; readonly isScheduled: boolean };

/** The ids that were added, the id that was pulled if any, or whether anything changed. */
export type Answered = readonly string[] | string | null | boolean;

export interface Found {
  readonly jobs: readonly (readonly [id: string, standing: Standing, name: string])[];
  /** Whether each of the held jobs is held. */
  readonly holds: readonly boolean[];
  readonly isPaused: boolean;
  /** The next job of the scheduler; null without one. */
  readonly planned: string | null;
}

/** What the store tells, one line each, in the order of its steps. */
export type Line =
  | readonly ['found', Found]
  | readonly ['asked', number, Asked]
  | readonly ['answered', number, Answered]
  /** A job starts for a call that ends with this process. */
  | readonly ['started', number, string]
  | readonly ['ended', Found];
