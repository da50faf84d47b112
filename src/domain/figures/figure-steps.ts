import type { Figures } from './figures.ts';

/** The sizes (ms) of the steps in which figures are kept, with how long each is kept. */
export const STEPS = { minute: 60_000, hour: 3_600_000 } as const;

export type Step = keyof typeof STEPS;

/** How long (ms) steps are kept after their start. */
export const KEPT_FOR: Readonly<Record<Step, number>> = {
  minute: 25 * STEPS.hour,
  hour: 30 * 24 * STEPS.hour,
};

/** The start (epoch ms) of the step that contains a time. */
export function beginOf(step: Step, time: number): number {
  return time - (time % STEPS[step]);
}

/** What one source counted in the step that started `at` (epoch ms). */
export interface FiguresOfStep {
  readonly at: number;
  readonly figures: Figures;
}

/** The backlog at the end of the step that started `at` (epoch ms), or up to now if the step is not over. */
export interface BacklogOfStep {
  readonly at: number;
  readonly backlog: Backlog;
}

export interface Backlog {
  /** How many jobs were waiting or prioritized. */
  readonly waiting: number;
  /** How long (ms) ago the oldest of them could have started; null without any. */
  readonly oldestWaiting: number | null;
}

export const NO_BACKLOG: Backlog = { waiting: 0, oldestWaiting: null };
