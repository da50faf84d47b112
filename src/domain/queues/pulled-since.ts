/**
 * Whether clients have pulled jobs of a queue since a time (epoch ms): they are not affected by what keeps calls to an
 * endpoint from starting.
 *
 * @param claimedAt when a client last claimed some, as far as that is known.
 */
export function isPulledSince(claimedAt: number | undefined, since: number): boolean {
  return claimedAt !== undefined && claimedAt > since;
}
