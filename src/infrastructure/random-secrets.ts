import { randomBytes } from 'node:crypto';
import type { SecretPort } from '../application/ports/secret-port.ts';

const SECRET_BYTES = 32;

/** Generates secrets from the random numbers of the machine. */
export class RandomSecrets implements SecretPort {
  draw(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }
}
