/** The pages that the frame leads to, by their paths below `/dashboard`. */
export const PAGES: readonly (readonly [name: string, path: readonly string[]])[] = [
  ['Queues', []],
  ['Failures', ['failures']],
  ['Workers', ['workers']],
  ['Schedulers', ['schedulers']],
  ['Flows', ['flows']],
  ['Hooks', ['hooks']],
  ['Activity', ['activity']],
  ['System', ['system']],
];
