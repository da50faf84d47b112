/** The most of the times, which are in order, that lie within one span. */
export function mostWithin(times: readonly number[], span: number): number {
  let [most, first] = [0, 0];
  for (const [index, time] of times.entries()) {
    while (times[first]! <= time - span) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
