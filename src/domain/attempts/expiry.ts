/** Why a job fails when its first attempt did not start within its `ttl` (ms from the add). */
export function expiredReason(ttl = 0): string {
  return `Expired after ${ttl} ms`;
}
