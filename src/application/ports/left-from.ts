/** What is left of the queues of a step that had done enough at one of them: that one comes last. */
export function leftFrom<Queue>(queues: readonly Queue[], index: number): readonly Queue[] {
  return [...queues.slice(index + 1), ...queues.slice(index, index + 1)];
}
