import { UndiciWebhook } from '../adapters/outbound/webhook/undici-webhook.ts';
import { ProcessHeap } from '../adapters/shared/process-heap.ts';
import { CallMemory } from '../adapters/outbound/webhook/call-memory.ts';
import { AddressGuard } from '../adapters/outbound/webhook/guard/address-guard.ts';
import { runAttempt } from '../application/calls/attempt-runner.ts';
import { ReplicaShortageError } from '../application/ports/webhook-port.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type {
  Caller,
  CallResult,
  CallTarget,
  ClaimedJob,
} from '../../clients/command-line/calls.ts';
import { Failed } from '../../clients/command-line/failed.ts';
import { UsageError } from '../../clients/command-line/input/usage-error.ts';
import type { Variables } from '../../clients/command-line/stores.ts';
import type { Attempt } from '../domain/attempts/attempt.ts';
import type { ReadSuspension } from '../application/steps/suspensions.ts';
import type { SuspensionRequest } from '../domain/steps/suspension-request.ts';
import { Cancellation } from '../domain/calls/cancellation.ts';
import { endpointUrlShape } from '../domain/calls/endpoint.ts';
import { signingSecretShape } from '../domain/calls/signing.ts';
import { workerOf, type Worker, type WorkerInput } from '../domain/workers/worker.ts';
import { EnvironmentReader } from './config/environment-reader.ts';
import { variables as known } from './config/variables.ts';
import { SystemClock } from './system-clock.ts';
import { version } from './version.ts';

const PREFIX = 'whsec_';

/** Any address may be called: whoever starts the command could call it as well. */
const ANY_ADDRESS = { policy: 'any', allow: [], deny: [] } as const;

/** The guard logs an address that it refuses, which the reason of the attempt says too. */
const NO_LOG: LoggerPort = {
  writesDebug: false,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const NOTHING_SUSPENDED: SuspensionRequest = {
  steps: [],
  sleeps: [],
  signals: [],
  added: [],
  id: '',
  maxWaiting: new Map(),
};

/** Makes the calls of a queue through the very code by which a service makes them. */
export class CallerOfQueue implements Caller {
  readonly #worker: Worker;
  readonly #service: string;
  readonly #limits: { readonly defaultTimeout: number; readonly maxResponseSize: number };
  readonly #clock = new SystemClock();
  #webhook: UndiciWebhook | undefined;

  /** @throws UsageError */
  constructor(target: CallTarget, variables: Variables) {
    this.#worker = workerFor(target);
    this.#service = target.service.replace(/\/+$/, '');
    const reader = new EnvironmentReader(variables, () => '');
    this.#limits = {
      defaultTimeout: reader.value(known.DEFAULT_ENDPOINT_TIMEOUT),
      maxResponseSize: reader.value(known.MAX_RESPONSE_SIZE),
    };
    if (reader.problems.length > 0) throw new UsageError(reader.problems.join('; '));
  }

  async call(claimed: ClaimedJob, signal: AbortSignal): Promise<CallResult> {
    const cancellation = new Cancellation();
    // The service judges the answer of a suspension.
    let answer: unknown;
    const suspensions: ReadSuspension = (_, body) => {
      answer = body ?? null;
      return Promise.resolve(NOTHING_SUSPENDED);
    };
    const end = (): void => cancellation.request();
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    try {
      const result = await runAttempt({
        webhook: this.#webhookFor(claimed),
        worker: this.#worker,
        attempt: this.#attemptOf(claimed),
        cancellation,
        clock: this.#clock,
        suspensions,
      });
      if ('acceptedFor' in result) {
        return { after: { kind: 'accepted', acceptedFor: result.acceptedFor }, status: 202 };
      }
      const { ending } = result;
      const after = ending.kind === 'suspended' ? ({ kind: 'suspended', answer } as const) : ending;
      return { after, outcome: ending.call?.outcome, status: ending.call?.status };
    } catch (error) {
      throw error instanceof ReplicaShortageError ? new Failed(error.message) : error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  async close(): Promise<void> {
    await this.#webhook?.close();
  }

  /** The prefix of the qualified name of the queue is known from its first job. */
  #webhookFor({ job }: ClaimedJob): UndiciWebhook {
    this.#webhook ??= new UndiciWebhook({
      ...this.#limits,
      userAgent: `jobgate/${version()}`,
      queuePrefix: job.queueQualifiedName.slice(0, -`:${this.#worker.queue}`.length),
      publicUrl: this.#service,
      guard: new AddressGuard(ANY_ADDRESS, NO_LOG),
      memory: new CallMemory(new ProcessHeap()),
      clock: this.#clock,
    });
    return this.#webhook;
  }

  /** The service has judged the job before it answered the claim. */
  #attemptOf({ job, token, children, steps = {} }: ClaimedJob): Attempt {
    const saved = Object.entries(steps).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
    }));
    const active = { ...job, queue: this.#worker.queue, state: 'active' };
    return { jobId: job.id, token, job: active, children, steps: saved } as unknown as Attempt;
  }
}

/** The registered worker, or one without any options, with another endpoint. */
function workerFor({ queue, url, secret, worker }: CallTarget): Worker {
  if (!endpointUrlShape.accepts(url))
    throw new UsageError(`--forward-to must ${endpointUrlShape.must}`);
  if (secret !== undefined && !(secret.startsWith(PREFIX) && signingSecretShape.accepts(secret)))
    throw new UsageError(`--signing-secret must be ${PREFIX} and base64`);
  const registered = worker?.endpoint ?? { method: 'post' };
  const secrets = secret === undefined ? {} : { secrets: { current: secret, former: [] } };
  // Of headers, the API shows the names alone, and no secret.
  const own = { url, steps: true, headers: undefined, signing: secret !== undefined, ...secrets };
  const endpoint = { ...registered, ...own };
  return workerOf({ queue, endpoint, opts: worker?.opts } as unknown as WorkerInput);
}
