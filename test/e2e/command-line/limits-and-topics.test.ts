import { expect } from 'chai';
import { commandLine } from '../../support/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { ServiceContext } from '../service/context.ts';

describe('the command line, for limits and topics', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);
  const { run, ok, json } = commandLine(() => service.url);

  before(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => context.cleanUp());
  after(() => services.kill());

  // holds: limits.command-line
  it('stores a limit, shows which queues use it and wait, and removes it', async () => {
    const queues = [context.newQueue(), context.newQueue()].sort();
    expect(await ok('limits', 'list')).to.equal('There are no limits\n');
    expect(await ok('limits', 'set', 'openai', '--concurrency', '1')).to.equal(
      'Stored the limit openai\n',
    );
    const endpoint = await context.newEndpoint(() => undefined);
    for (const queue of queues) {
      await service.call('PUT', `/queues/${queue}/policy`, { limits: ['openai'] });
      await ok('workers', 'register', queue, endpoint.url);
      await ok('add', queue, 'ask', '1');
    }
    await eventually('one runs, and the other waits', async () =>
      /^openai +1\/1/m.test(await ok('limits', 'list')),
    );
    const shown = await ok('limits', 'show', 'openai');
    expect(shown)
      .to.match(/^concurrency +1$/m)
      .and.to.match(/ 1 running$/m);
    expect(shown).to.match(/ 0 running, waits$/m);
    const refused = await run('limits', 'remove', 'openai', '--yes');
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.match(/names the limit openai/);
    for (const queue of queues) await service.call('DELETE', `/queues/${queue}/policy`);
    expect(await ok('limits', 'remove', 'openai', '--yes')).to.equal('Removed the limit openai\n');
    for (const [thing, name] of [
      ['limit', 'opnai'],
      ['topic', 'ordres'],
    ] as const) {
      const { errors } = await run(`${thing}s`, 'show', name);
      expect(errors).to.equal(
        `jobgate: There is no ${thing} ${name}: jobgate ${thing}s lists them\n`,
      );
    }
    const unset = await run('limits', 'set', 'openai');
    expect(unset.code).to.equal(2);
  });

  // holds: topics.command-line
  it('stores subscriptions, tries and publishes messages, and removes the subscriptions', async () => {
    const [billing, audit] = [context.newQueue(), context.newQueue()];
    const filtered = JSON.stringify({ queue: billing, filter: { name: ['paid'] } });
    await ok('topics', 'subscribe', 'orders', 'billing', '--body', filtered);
    await ok('topics', 'subscribe', 'orders', 'audit', '--body', JSON.stringify({ queue: audit }));
    expect(await ok('topics', 'list')).to.match(/^orders +2$/m);
    expect(await ok('topics', 'show', 'orders')).to.match(/^audit .* all /m);
    const dry = await json('publish', 'orders', 'made', '1', '--dry-run');
    expect(dry['matched']).to.deep.equal({ audit: { queue: audit } });
    const table = await ok('publish', 'orders', 'paid', '{"sum": 7}', '--opts', '{"jobId": "p-7"}');
    expect(table).to.match(new RegExp(`^billing +${billing} +p-7$`, 'm'));
    expect(await ok('data', audit, 'p-7')).to.equal('{\n  "sum": 7\n}\n');
    for (const id of ['billing', 'audit']) await ok('topics', 'unsubscribe', 'orders', id, '--yes');
    expect(await ok('topics', 'list')).to.equal('There are no topics\n');
    expect(await ok('publish', 'orders', 'paid', '1')).to.equal('No subscription matches\n');
  });
});
