/** What so many in a hundred of the values did not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? 0;
}
