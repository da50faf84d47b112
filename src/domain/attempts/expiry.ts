/** Why a job fails when its first attempt did not start within its `ttl` (ms from the add). */
export function expiredReason(ttl = 0): string {
  return `Expired after ${ttl} ms`;
}

/** When (epoch ms) the first attempt of a job must start at the latest; undefined without a limit. */
export function expiryOf(timestamp: number, ttl: number | undefined): number | undefined {
  return ttl === undefined ? undefined : timestamp + ttl;
}

/** Whether the first attempt of a job may no longer start. */
export function hasExpired(expiresAt: number | undefined, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
