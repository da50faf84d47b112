/** A page that the frame leads to. */
export interface RoomPage {
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: readonly string[];
  /** That follows `g`. */
  readonly key: string;
}

export const PAGES: readonly RoomPage[] = [
  { name: 'Queues', path: [], key: 'q' },
  { name: 'Failures', path: ['failures'], key: 'f' },
  { name: 'Workers', path: ['workers'], key: 'w' },
  { name: 'Schedulers', path: ['schedulers'], key: 's' },
  { name: 'Flows', path: ['flows'], key: 'l' },
  { name: 'Limits', path: ['limits'], key: 'i' },
  { name: 'Topics', path: ['topics'], key: 't' },
  { name: 'Hooks', path: ['hooks'], key: 'h' },
  { name: 'Activity', path: ['activity'], key: 'a' },
  { name: 'System', path: ['system'], key: 'y' },
];
