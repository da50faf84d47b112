import type { LimitStanding } from '../../../../application/access/request-limits.ts';

/*
 * The items of the headers that say what a limited client has left (draft-ietf-httpapi-ratelimit-headers-10; platform
 * contract, section 11).
 */

/** An item of `RateLimit-Policy`. */
export function policyText({ thing, limit }: LimitStanding): string {
  return `"${thing}";q=${limit.max};w=${seconds(limit.duration)}`;
}

/** An item of `RateLimit`. */
export function standingText({ thing, left, endsIn }: LimitStanding): string {
  return `"${thing}";r=${left};t=${seconds(endsIn)}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
