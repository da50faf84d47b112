import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { text } from '../support/deployment-files.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/redis/free-port.ts';
import { requirePythonWith } from '../support/python.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

/** Runs a program of a language. */
const COMMANDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  python: [await requirePythonWith(['wsgiref']), '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
  sh: ['bash', '--norc', '-c'],
};

describe('The page about steps', () => {
  const page = text('docs/steps.md');
  const services = new StartedServices();
  let service: ServiceProcess;
  let program: ChildProcess;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(async () => {
    const ended = once(program, 'exit');
    // With the programs that it has started.
    process.kill(-program.pid!, 'SIGKILL');
    await ended;
    await service.call('DELETE', '/queues/orders?confirm=orders&force=true');
  });
  after(() => services.kill());

  for (const [language, [command, ...options]] of Object.entries(COMMANDS)) {
    // holds: steps.page
    it(`has an endpoint of at most ten lines that charges, waits and ships: ${language}`, async () => {
      const [, source = ''] = new RegExp(`^\`\`\`${language}\n([^]+?)^\`\`\`$`, 'm').exec(page)!;
      expect(source.trimEnd().split('\n')).to.have.length.at.most(10);
      const port = String(await freePort());
      program = spawn(command, [...options, source.replace(/\b3000\b/, port)], {
        detached: true,
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          JOBGATE: service.url,
          AUTH: `Authorization: Bearer ${ServiceProcess.token}`,
        },
      });
      if (language !== 'sh') {
        const endpoint = { url: `http://127.0.0.1:${port}/`, method: 'post', steps: true };
        await service.call('POST', '/workers', { queue: 'orders', endpoint });
      }
      // The program may take a moment to listen.
      const opts = { attempts: 1000, backoff: { type: 'fixed', delay: 100 } };
      const order = [{ name: 'order', data: { item: 'lamp' }, opts }];
      const { body: added } = await service.call('POST', '/queues/orders/jobs', order);
      const [{ id }] = added as [{ readonly id: string }];
      const path = `/queues/orders/jobs/${id}`;
      await eventually(
        'the job waits for its payment',
        async () => {
          const { body } = await service.call('GET', `${path}/blocked`);
          const { blocked } = body as { blocked: { detail?: string } | null };
          return blocked?.detail === `waits for the signal paid:${id}`;
        },
        40_000,
      );
      const signal = await service.call('POST', `/queues/orders/signals/paid:${id}`, {
        by: 'card',
      });
      expect(signal.body).to.deep.equal({ woken: 1 });
      const { body: result } = await service.call('GET', `${path}/result`);
      expect(result).to.deep.equal({ state: 'completed', returnvalue: { shipped: true } });
      const { body: saved } = await service.call('GET', `${path}/steps`);
      const { steps } = saved as { steps: readonly { name: string; value: unknown }[] };
      expect(steps.map(({ name, value }) => [name, value])).to.deep.equal([
        ['charge', { payment: `ch_${id}` }],
        ['paid', { by: 'card' }],
      ]);
    }).timeout(60_000);
  }
});
