import { expect } from 'chai';
import type { Container } from 'inversify';
import { createContainer } from '../../../src/infrastructure/container/container.ts';
import { tokens } from '../../../src/infrastructure/container/tokens.ts';
import { loadConfig } from '../../../src/infrastructure/config/load-config.ts';
import { MetricsPage } from '../../support/metrics-page.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { erasure } from '../../../src/domain/jobs/erasure.ts';
import { Traces } from '../../../src/domain/jobs/traces.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const QUEUE = queueNamed('mail');

/** One call of each port of the store. */
const CALLS: Readonly<Record<string, (container: Container) => Promise<unknown>>> = {
  queues: (container) => container.get(tokens.queues).summary(QUEUE),
  'control of queues': (container) => container.get(tokens.queueControl).endHold(QUEUE),
  'directory of queues': (container) => container.get(tokens.queueDirectory).names(),
  'standings of queues': (container) => container.get(tokens.queueStandings).standings([]),
  'engine of attempts': (container) => container.get(tokens.attempts).renew(QUEUE, [], 1),
  'holders of attempts': (container) =>
    container.get(tokens.attempts).holds(QUEUE, { jobId: '1', token: 'none' }),
  'sweeps of attempts': (container) => container.get(tokens.attempts).overdue(),
  flows: (container) => container.get(tokens.flows).node(QUEUE, '1'),
  'control of jobs': (container) => container.get(tokens.jobControl).promote(QUEUE, '1'),
  'endings of jobs': async (container) => {
    (await container.get(tokens.jobEndings).subscribe(QUEUE)).end();
  },
  'scan of jobs': (container) => container.get(tokens.jobScan).oldest(QUEUE, ['failed'], 1),
  events: async (container) => {
    (await container.get(tokens.events).subscribe(QUEUE, () => undefined)).end();
  },
  tickets: (container) => container.get(tokens.tickets).take('none'),
  'tries to sign in': (container) => container.get(tokens.signInTries).take('none'),
  'codes of repairs': (container) => container.get(tokens.repairCodes).take('none'),
  expiry: (container) => container.get(tokens.expiry).expireDue(),
  'removal of ended jobs': (container) => container.get(tokens.endedRemoval).removeBeyond([]),
  erasure: (container) =>
    container
      .get(tokens.erasure)
      .redact(QUEUE, [], new Traces(erasure({ filter: { data: { id: 1 } } }), () => true)),
  redaction: (container) => container.get(tokens.redaction).redactBeyond([]),
  breakers: (container) => container.get(tokens.breakers).find(QUEUE),
  'figures of calls': (container) => container.get(tokens.callFigures).readEach([QUEUE], 1, 2),
  workers: (container) => container.get(tokens.workers).ids(),
  policies: (container) => container.get(tokens.policies).list(),
  schedulers: (container) => container.get(tokens.schedulers).find(QUEUE, 'nightly'),
  health: (container) => container.get(tokens.storeHealth).check(),
};

describe('metricsModule', () => {
  let container: Container;

  before(async () => {
    const environment = { STORE: 'memory', AUTH_TOKENS: 'secret' };
    const config = loadConfig(environment, { readFile: () => '', isTerminal: false });
    container = await createContainer(config, silentLogger);
  });

  async function timedCalls(): Promise<number> {
    const page = new MetricsPage(await container.get(tokens.metrics).read());
    return page.value('jobgate_store_seconds_count') ?? NaN;
  }

  for (const [name, call] of Object.entries(CALLS)) {
    it(`times the calls of the store: ${name}`, async () => {
      const first = await timedCalls();
      // Reading the metrics takes some calls too.
      const before = await timedCalls();
      await call(container);
      expect(await timedCalls()).to.equal(before + (before - first) + 1);
    });
  }
});
