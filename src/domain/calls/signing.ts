import { checkShape } from '../values/check-shape.ts';
import type { WorkerEndpoint } from './endpoint.ts';
import { DomainError } from '../errors.ts';
import { parseSealedText } from '../values/sealed-text.ts';
import { integer, listOf, object, required, text, type Shaped } from '../values/shape.ts';

/** How long (ms) a secret keeps signing after another one has replaced it. */
export const FORMER_SECRET_LIFE = 86_400_000;

/** How many secrets may sign besides the current one: each adds to the headers of every call. */
const MOST_FORMER_SECRETS = 9;

const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/;

/** A secret as it is issued, or as a store keeps it encrypted. */
export const signingSecretShape = text(
  'be a secret for signatures',
  (value) => SECRET.test(value) || parseSealedText(value) !== undefined,
);

const formerSecret = object('FormerSecret', {
  secret: required(signingSecretShape, 'The secret'),
  until: required(integer(0), 'Until when it signs, in milliseconds since 1970'),
});

/** The secrets as a record has them. */
export const signingSecretsShape = object('SigningSecrets', {
  current: required(signingSecretShape, 'The secret that was issued last'),
  former: required(listOf(formerSecret), 'Those before it, the latest first'),
});

/**
 * The secrets that sign the calls of an endpoint. A secret is shown once, in the answer to the request that created it.
 */
export type SigningSecrets = Shaped<typeof signingSecretsShape>;

/**
 * Checks the secrets of a record, which any program may have written. No message contains a secret.
 *
 * @throws DomainError `invalid-request` naming the field, also when an endpoint with `signing` has no secrets.
 */
export function checkSecrets({ signing, secrets }: WorkerEndpoint): void {
  if (signing === true || secrets !== undefined)
    checkShape(signingSecretsShape, secrets, 'endpoint.secrets');
}

/** An endpoint as the API may show it. */
export function withoutSecrets(endpoint: WorkerEndpoint): WorkerEndpoint {
  if (endpoint.secrets === undefined) return endpoint;
  const shown = Object.entries(endpoint).filter(([name]) => name !== 'secrets');
  return Object.fromEntries(shown) as unknown as WorkerEndpoint;
}

/** The part of a worker that signing affects. */
interface CalledWorker {
  readonly endpoint: WorkerEndpoint;
}

/** The worker with signed calls: it keeps the secrets of the previous registration, if that had any. */
export function signedWorker<Worker extends CalledWorker>(
  worker: Worker,
  before: CalledWorker | undefined,
  fresh: string,
): Worker {
  const secrets = before?.endpoint.secrets ?? { current: fresh, former: [] };
  return { ...worker, endpoint: { ...worker.endpoint, secrets } };
}

/**
 * The worker with a new secret; the previous one keeps signing for {@link FORMER_SECRET_LIFE}. Undefined when its calls
 * are not signed.
 *
 * @param now epoch ms.
 * @throws DomainError `too-many-secrets` when a former secret would have to stop before its time.
 */
export function rotatedWorker<Worker extends CalledWorker>(
  worker: Worker,
  fresh: string,
  now: number,
): Worker | undefined {
  const { endpoint } = worker;
  if (endpoint.secrets === undefined) return undefined;
  const secrets = rotatedSecrets(endpoint.secrets, fresh, now, 'worker');
  return { ...worker, endpoint: { ...endpoint, secrets } };
}

/**
 * The secrets with a new one; the previous one keeps signing for {@link FORMER_SECRET_LIFE}.
 *
 * @param now epoch ms.
 * @param caller what makes the calls.
 * @throws DomainError `too-many-secrets` when a former secret would have to stop before its time.
 */
export function rotatedSecrets(
  { current, former }: SigningSecrets,
  fresh: string,
  now: number,
  caller: 'worker' | 'hook',
): SigningSecrets {
  const live = former.filter(({ until }) => until > now);
  if (live.length >= MOST_FORMER_SECRETS) throw tooManySecrets(live, caller);
  return {
    current: fresh,
    former: [{ secret: current, until: now + FORMER_SECRET_LIFE }, ...live],
  };
}

function tooManySecrets(live: SigningSecrets['former'], caller: string): DomainError {
  const end = new Date(Math.min(...live.map(({ until }) => until))).toISOString();
  return new DomainError(
    'too-many-secrets',
    `Nine former secrets still sign the calls of the ${caller}, the first of them ends at ${end}`,
  );
}
