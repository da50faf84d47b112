import type { Callback } from '../../domain/jobs/callback.ts';
import { CALLED_OPTIONS } from '../../domain/access/called-options.ts';
import type { Destination } from '../../domain/calls/destination.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Destinations } from './destinations.ts';

/** The options of a job that name what is called. */
export interface WithCalled {
  readonly callback?: Callback | undefined;
  readonly endpoint?: Destination | undefined;
}

/** Whether the options name anything that is called, which must be prepared before they are stored. */
export function namesCalled(opts: WithCalled): boolean {
  return CALLED_OPTIONS.some((name) => opts[name] !== undefined);
}

/** Checks what the options of jobs call against the policies in force, and encrypts its secrets. */
export class CalledOptions {
  readonly #callbacks: Pick<Callbacks, 'prepared'>;
  readonly #destinations: Pick<Destinations, 'prepared'>;

  constructor(
    callbacks: Pick<Callbacks, 'prepared'>,
    destinations: Pick<Destinations, 'prepared'>,
  ) {
    this.#callbacks = callbacks;
    this.#destinations = destinations;
  }

  /**
   * The options of a job as they are stored.
   *
   * @param path of the options, for errors; empty where they are no part of anything else.
   * @param sealed what was checked and encrypted before, and stays as it is.
   * @throws DomainError `invalid-request` for what the policy of the queue does not allow.
   */
  prepared<Options extends WithCalled>(
    queue: QueueName,
    opts: Options,
    path: string,
    sealed: WithCalled = {},
  ): Options {
    const withCallback = this.#callbacks.prepared(queue, opts, path, sealed.callback);
    return this.#destinations.prepared(queue, withCallback, path, sealed.endpoint);
  }
}
