import { hash } from 'node:crypto';
import { RandomAccessSecrets } from '../../../../src/infrastructure/random-access-secrets.ts';
import { accessTokenText } from '../../../../src/adapters/shared/access-token-text.ts';
import type {
  AccessSecretPort,
  DrawnSecret,
  DrawnSession,
} from '../../../../src/application/ports/access-secret-port.ts';

/** Ids that count up from `token001`, so that a test knows them. */
export class CountedAccessSecrets extends RandomAccessSecrets implements AccessSecretPort {
  #ids = 0;
  #secrets = 0;
  #sessions = 0;

  override drawId(): string {
    this.#ids += 1;
    return `token${String(this.#ids).padStart(3, '0')}`;
  }

  override draw(id: string): DrawnSecret {
    this.#secrets += 1;
    const token = accessTokenText(id, String(this.#secrets).padStart(32, 's'));
    return { token, sha256: hash('sha256', token, 'hex'), hint: `jg_${id}_ssss…` };
  }

  override drawSession(): DrawnSession {
    this.#sessions += 1;
    const text = `session${this.#sessions}`;
    return { text, sha256: hash('sha256', text, 'hex') };
  }
}
