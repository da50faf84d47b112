import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { text } from '../support/deployment-files.ts';
import { eventually } from '../support/eventually.ts';
import { requirePython } from '../support/python.ts';
import { freePort } from '../support/redis/free-port.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Program {
  readonly title: string;
  readonly language: 'python' | 'js' | 'sh';
  /** Which block of that language it is. */
  readonly block: 0 | 1;
  /** What the page leaves to the reader. */
  readonly rest?: string;
  /** What the job returns. */
  readonly returns: unknown;
}

const PROGRAMS: readonly Program[] = [
  { title: 'in Python', language: 'python', block: 0, returns: { shipped: true } },
  { title: 'in JavaScript', language: 'js', block: 0, returns: { shipped: true } },
  { title: 'in a shell', language: 'sh', block: 0, returns: { shipped: true } },
  {
    title: 'with the TypeScript client',
    language: 'js',
    block: 1,
    rest: `
      import { Jobgate } from 'jobgate-client';
      const [charge, ship] = [() => ({ payment: 'ch' }), ({ item }) => ({ shipped: item })];
      new Jobgate().pull('orders', { handlers: { order } });`,
    returns: { shipped: 'lamp' },
  },
  {
    title: 'with the Python client',
    language: 'python',
    block: 1,
    rest: `
from jobgate import Jobgate
def charge(data): return {"payment": "ch"}
def ship(data): return {"shipped": data["item"]}
Jobgate().pull("orders", {"order": order})`,
    returns: { shipped: 'lamp' },
  },
];

describe('The page about steps', function () {
  this.timeout(60_000);
  const page = text('docs/steps.md');
  const services = new StartedServices();
  let python: string;
  let service: ServiceProcess;
  let program: ChildProcess;

  before(async function () {
    // Python or what its client needs may have to be installed.
    this.timeout(300_000);
    python = await requirePython();
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

  function sourceOf({ language, block }: Program): string {
    const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]+?)^\`\`\`$`, 'gm'))];
    return blocks[block]?.[1] ?? '';
  }

  async function start(asked: Program, source: string): Promise<void> {
    const [command, ...options] = {
      python: [python, '-c'],
      js: [process.execPath, '--input-type=module', '-e'],
      sh: ['bash', '--norc', '-c'],
    }[asked.language] as [string, ...string[]];
    const port = String(await freePort());
    const whole = source.replace(/\b3000\b/, port) + (asked.rest ?? '');
    program = spawn(command, [...options, whole], {
      cwd: ROOT,
      detached: true,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        PYTHONPATH: join(ROOT, 'clients/python/src'),
        JOBGATE: service.url,
        AUTH: `Authorization: Bearer ${ServiceProcess.token}`,
        JOBGATE_URL: service.url,
        JOBGATE_TOKEN: ServiceProcess.token,
      },
    });
    if (!source.includes('3000)') && !source.includes('3000,')) return;
    const endpoint = { url: `http://127.0.0.1:${port}/`, method: 'post', steps: true };
    await service.call('POST', '/workers', { queue: 'orders', endpoint });
  }

  for (const asked of PROGRAMS) {
    // holds: steps.page
    it(`has a worker of at most ten lines that charges, waits and ships: ${asked.title}`, async () => {
      const source = sourceOf(asked);
      expect(source.trimEnd().split('\n')).to.have.lengthOf.within(5, 10);
      await start(asked, source);
      // The program may take a moment to listen.
      const opts = { attempts: 1000, backoff: { type: 'fixed', delay: 100 } };
      const order = [{ name: 'order', data: { item: 'lamp' }, opts }];
      const { body: added } = await service.call('POST', '/queues/orders/jobs', order);
      const [{ id }] = added as [{ readonly id: string }];
      const path = `/queues/orders/jobs/${id}`;
      const waits = async (): Promise<boolean> => {
        const { body } = await service.call('GET', `${path}/blocked`);
        const { blocked } = body as { blocked: { detail?: string } | null };
        return blocked?.detail === `waits for the signal paid:${id}`;
      };
      await eventually('the job waits for its payment', waits, 40_000);
      const card = { by: 'card' };
      const signal = await service.call('POST', `/queues/orders/signals/paid:${id}`, card);
      expect(signal.body).to.deep.equal({ woken: 1 });
      const { body: result } = await service.call('GET', `${path}/result`);
      expect(result).to.deep.equal({ state: 'completed', returnvalue: asked.returns });
      const { body: saved } = await service.call('GET', `${path}/steps`);
      const { steps } = saved as { steps: readonly { name: string; value: unknown }[] };
      expect(steps.slice(0, 2).map(({ name }) => name)).to.deep.equal(['charge', 'paid']);
      expect(steps[1]?.value).to.deep.equal(card);
    });
  }
});
