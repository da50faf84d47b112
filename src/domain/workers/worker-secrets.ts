import type { Endpoint } from '../calls/endpoint.ts';
import type { Worker } from './worker.ts';

/** A secret text of a worker, and its place. */
export interface WorkerSecret {
  readonly value: string;
  readonly field: string;
}

const SIGNING_FIELD = 'endpoint.secrets';

/** Header values and signing secrets. */
export function secretsOf({ endpoint }: Worker): readonly WorkerSecret[] {
  const { headers = {}, secrets } = endpoint;
  const signing = secrets && [secrets.current, ...secrets.former.map(({ secret }) => secret)];
  return [
    ...Object.entries(headers).map(([name, value]) => ({ value, field: fieldOf(name) })),
    ...(signing ?? []).map((value) => ({ value, field: SIGNING_FIELD })),
  ];
}

/** The worker with other texts in place of its secrets. */
export function withSecrets(worker: Worker, change: (secret: WorkerSecret) => string): Worker {
  const { headers, secrets } = worker.endpoint;
  const signing = (value: string): string => change({ value, field: SIGNING_FIELD });
  const endpoint: Endpoint = {
    ...worker.endpoint,
    ...(headers && { headers: changed(headers, change) }),
    ...(secrets && {
      secrets: {
        current: signing(secrets.current),
        former: secrets.former.map(({ secret, until }) => ({ secret: signing(secret), until })),
      },
    }),
  };
  return { ...worker, endpoint };
}

function changed(
  headers: object,
  change: (secret: WorkerSecret) => string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers as Readonly<Record<string, string>>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, change({ value, field: fieldOf(name) })]),
  );
}

function fieldOf(header: string): string {
  return `endpoint.headers.${header.toLowerCase()}`;
}
