import type { Figures } from './figures.ts';

/** The steps in which figures are kept, in milliseconds, with how long each is kept. */
export const STEPS = { minute: 60_000, hour: 3_600_000 } as const;

export type Step = keyof typeof STEPS;

/** For how long the steps are kept (ms) after they began. */
export const KEPT_FOR: Readonly<Record<Step, number>> = {
  minute: 25 * STEPS.hour,
  hour: 30 * 24 * STEPS.hour,
};

/** When the step that contains a time began, epoch ms. */
export function beginOf(step: Step, time: number): number {
  return time - (time % STEPS[step]);
}

/** What one source counted in the step that began `at` (epoch ms). */
export interface FiguresOfStep {
  readonly at: number;
  readonly figures: Figures;
}

/** What waited at the end of the step that began `at` (epoch ms), or of what is over of it. */
export interface BacklogOfStep {
  readonly at: number;
  readonly backlog: Backlog;
}

export interface Backlog {
  /** How many jobs were waiting or prioritized. */
  readonly waiting: number;
  /** How long ago (ms) the oldest of them could have started; null without any. */
  readonly oldestWaiting: number | null;
}

export const NO_BACKLOG: Backlog = { waiting: 0, oldestWaiting: null };
