/** How such a reason begins. */
export const EXPIRED_AFTER = 'Expired after ';

/** Why a job fails when its first attempt did not start within its `ttl` (ms after the add). */
export function expiredReason(ttl = 0): string {
  return `${EXPIRED_AFTER}${ttl} ms`;
}

/** The latest time (epoch ms) at which the first attempt of a job may start; undefined without a limit. */
export function expiryOf(timestamp: number, ttl: number | undefined): number | undefined {
  return ttl === undefined ? undefined : timestamp + ttl;
}

/** Whether it is too late for the first attempt of a job to start. */
export function hasExpired(expiresAt: number | undefined, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
