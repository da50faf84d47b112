import type { VNode } from 'preact';

/** Each state has a shape of its own besides its colour, on a 12 by 12 grid. */
const PATHS: Readonly<Record<string, string>> = {
  waiting: 'M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5Z',
  prioritized: 'M2 8l4-4 4 4',
  delayed: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM6 3.5V6l2 1.2',
  paused: 'M4 2.5v7M8 2.5v7',
  completed: 'M2 6.5l2.7 2.7L10 3.2',
  failed: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  open: 'M8.6 2.6A4.25 4.25 0 0 0 1.75 6M3.4 9.4A4.25 4.25 0 0 0 10.25 6',
  disabled: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM2.8 9.2l6.4-6.4',
  branch: 'M3 1.5v9M3 6h4a2 2 0 0 0 2-2V1.5',
  unknown: 'M3 6h6',
  search: 'M5 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM7.6 7.6 10.5 10.5',
};

/** The states that share the shape of another. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  waiting: ['concurrency'],
  paused: ['suspended'],
  delayed: ['held', 'deferred', 'limiter', 'pending'],
  completed: ['healthy', 'delivered', 'ok', 'ready'],
  failed: ['timeout', 'stalled', 'no-worker', 'failed-job', 'children'],
  disabled: ['refused', 'cancelled'],
  branch: ['waiting-children'],
};

export function Icon({ of }: { readonly of: string }): VNode {
  const isFilled = of === 'active' || of === 'probing' || of === 'started';
  const shape = Object.keys(SHARED).find((each) => SHARED[each]?.includes(of));
  const path = PATHS[of] ?? PATHS[shape ?? 'unknown'];
  return (
    <svg class="icon" viewBox="0 0 12 12" aria-hidden="true">
      {isFilled ? <circle cx="6" cy="6" r="4" class="filled" /> : <path d={path} />}
    </svg>
  );
}
