/** A `Stop`, of which clients take only the words. */
interface StopInWords {
  readonly by: string;
  /** Epoch ms. */
  readonly at: number;
  readonly reason: string | null;
}

/** Such as `by ada since 2026-11-30T08:15:00Z: Deploy of billing`. */
export function stoppedInWords({ by, at, reason }: StopInWords): string {
  const since = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return `by ${by} since ${since}${reason === null ? '' : `: ${reason}`}`;
}
