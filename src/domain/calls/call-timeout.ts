import { integer } from '../values/shape.ts';

/** The longest timer that Node.js supports, a little under 25 days. */
const MAX_TIMEOUT = 2_147_483_647;

/** The longest duration of a whole call, in milliseconds. */
export const callTimeoutShape = integer(1, MAX_TIMEOUT);

/** The field of a job that bounds its calls. */
interface TimedJob {
  readonly opts: { readonly timeout?: unknown };
}

/**
 * How long (ms) the call for a job may take: the smaller of the limits of its endpoint and of the job. An option that
 * is not a duration was set by another producer, whose workers ignore it.
 */
export function callTimeout(ofEndpoint: number, { opts }: TimedJob): number {
  return callTimeoutShape.accepts(opts.timeout) ? Math.min(ofEndpoint, opts.timeout) : ofEndpoint;
}
