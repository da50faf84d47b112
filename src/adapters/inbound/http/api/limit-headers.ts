import type { CallerLimits, LimitStanding } from '../../../../application/access/request-limits.ts';

/*
 * The headers that say what a limited client has left (draft-ietf-httpapi-ratelimit-headers-10; platform contract,
 * section 11).
 */

/** Of the callers that came: the same text goes into each of their answers. */
const policies = new WeakMap<CallerLimits, string>();

/** `RateLimit-Policy`: all limits of a caller, whichever its request counts against. */
export function policyText(limits: CallerLimits): string {
  const known = policies.get(limits);
  if (known !== undefined) return known;
  const text = Object.values(limits)
    .map(({ thing, limit }) => `"${thing}";q=${limit.max};w=${seconds(limit.duration)}`)
    .join(', ');
  policies.set(limits, text);
  return text;
}

/** An item of `RateLimit`. */
export function standingText({ thing, left, endsIn }: LimitStanding): string {
  return `"${thing}";r=${left};t=${seconds(endsIn)}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
