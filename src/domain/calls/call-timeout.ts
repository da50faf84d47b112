import { integer } from '../values/shape.ts';

/** The longest timer that the platform keeps, a little under 25 days. */
const MAX_TIMEOUT = 2_147_483_647;

/** The longest duration of a whole call, in milliseconds. */
export const callTimeoutShape = integer(1, MAX_TIMEOUT);

/** The part of a job that bounds its calls. */
interface TimedJob {
  readonly opts: { readonly timeout?: unknown };
}

/**
 * How long (ms) the call for a job may take: the smaller of what its endpoint allows and what the job does.
 * An option that is no duration comes from another producer, with workers that ignore it.
 */
export function callTimeout(ofEndpoint: number, { opts }: TimedJob): number {
  return callTimeoutShape.accepts(opts.timeout) ? Math.min(ofEndpoint, opts.timeout) : ofEndpoint;
}
