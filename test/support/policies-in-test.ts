import { AesSecretCipher } from '../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { policySealing } from '../../src/application/callbacks/callback-sealing.ts';
import { CronCalendar } from '../../src/adapters/outbound/cron/cron-calendar.ts';
import { Policies, type PoliciesDependencies } from '../../src/application/policies/policies.ts';
import { queueName } from '../../src/domain/queues/queue-name.ts';
import { RandomSecrets } from '../../src/infrastructure/random-secrets.ts';
import { workersInMemory } from './collections.ts';
import { silentLogger } from './silent-logger.ts';

type Given = Pick<PoliciesDependencies, 'store' | 'signals' | 'clock'> &
  Partial<PoliciesDependencies>;

/** Policies with the usual names of queues, of a store that keeps no secrets unless it is given. */
export function policiesInTest(given: Given): Policies {
  return new Policies({
    sealing: policySealing(new AesSecretCipher([])),
    calendar: new CronCalendar(),
    queueName: queueName({ min: 3, max: 100 }),
    logger: silentLogger,
    secrets: new RandomSecrets(),
    workers: workersInMemory(),
    ...given,
  });
}
