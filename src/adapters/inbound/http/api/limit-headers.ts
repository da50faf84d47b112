import type { LimitStanding } from '../../../../application/access/request-limits.ts';
import type { ReplyHeaders } from '../messages/reply.ts';

/** What a limited client has left (draft-ietf-httpapi-ratelimit-headers-10; platform contract, section 11). */
export function limitHeaders(standings: readonly LimitStanding[]): ReplyHeaders {
  return {
    'RateLimit-Policy': standings
      .map(({ thing, limit }) => `"${thing}";q=${limit.max};w=${seconds(limit.duration)}`)
      .join(', '),
    RateLimit: standings
      .map(({ thing, left, endsIn }) => `"${thing}";r=${left};t=${seconds(endsIn)}`)
      .join(', '),
  };
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
