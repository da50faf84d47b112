import { secretTexts, withSecretTexts } from '../calls/called-secrets.ts';
import type { SecretText } from '../values/secret-text.ts';
import type { Worker } from './worker.ts';

const PATH = 'endpoint.';

/** Header values and signing secrets. */
export function secretsOf({ endpoint }: Worker): readonly SecretText[] {
  return secretTexts(endpoint, PATH);
}

/** The worker with other texts in place of its secrets. */
export function withSecrets(worker: Worker, change: (secret: SecretText) => string): Worker {
  return { ...worker, endpoint: withSecretTexts(worker.endpoint, PATH, change) };
}
