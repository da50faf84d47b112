import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JobJson } from '../../src/domain/jobs/job-json.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** The processes that this one started. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(/\s+/).filter(Boolean).map(Number);
}

describe('WEB_CONCURRENCY', () => {
  let service: ServiceProcess;
  let endpoint: EndpointServer;
  let queue: string;
  let started = 0;

  beforeEach(async () => {
    started += 1;
    queue = `group-${process.pid}-${started}`;
    endpoint = await EndpointServer.start();
    service = await ServiceProcess.start({
      STORE_URI: (await testStore()).uri,
      WORKER_METADATA_KEY: `group:${process.pid}:workers`,
      WEB_CONCURRENCY: '2',
    });
  });
  afterEach(async () => {
    await service.kill();
    await endpoint.close();
  });

  function services(): number[] {
    const program = ServiceProcess.program;
    return childrenOf(service.pid).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program),
    );
  }

  async function register(opts = {}): Promise<void> {
    const worker = { queue, endpoint: { url: endpoint.url, method: 'post' }, opts };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
  }

  async function add(): Promise<string> {
    const { body } = await service.call('POST', `/queues/${queue}/jobs`, [{ name: 'a', data: 1 }]);
    return (body as JobJson[])[0]!.id;
  }

  async function finished(id: string): Promise<JobJson> {
    return eventually(`job ${id} finishes`, async () => {
      const { body } = await service.call('GET', `/queues/${queue}/jobs/${id}`);
      return (body as JobJson).finishedOn !== undefined && (body as JobJson);
    });
  }

  async function allEnded(pids: readonly number[]): Promise<void> {
    await eventually('all processes have ended', () =>
      Promise.resolve(
        pids.every((pid) => {
          try {
            return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
          } catch {
            return true;
          }
        }),
      ),
    );
  }

  // holds: settings.web-concurrency
  it('serves behind one port from that many processes, and replaces one that dies meanwhile', async () => {
    expect(services()).to.have.lengthOf(2);
    expect(
      service.logs.filter(({ message }) => message === 'jobgate is listening'),
    ).to.have.lengthOf(1);
    await register();
    await finished(await add());
    const [victim] = services();
    process.kill(victim!, 'SIGKILL');
    await service.logged('A process died and is replaced');
    // A job of the process that died holds the only slot of its queue for a while.
    queue = `${queue}-again`;
    await register();
    await finished(await add());
    await eventually('the process is replaced', () =>
      Promise.resolve(services().length === 2 && !services().includes(victim!)),
    );
  });

  it('lets running calls finish on SIGTERM, and ends with code 0 together with all processes', async () => {
    let release = (): void => undefined;
    endpoint.respond = (_call, response) => {
      release = () => response.end();
    };
    await register();
    await add();
    const call = await endpoint.nextCall();
    const pids = services();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    release();
    expect(await call.answered).to.equal(true);
    expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH');
  });

  it('lets running calls finish when the supervisor dies', async () => {
    let release = (): void => undefined;
    endpoint.respond = (_call, response) => {
      release = () => response.end();
    };
    await register();
    await add();
    const call = await endpoint.nextCall();
    const pids = services();
    process.kill(service.pid, 'SIGKILL');
    await service.exited;
    await service.logged('Stopping');
    release();
    expect(await call.answered).to.equal(true);
    await allEnded(pids);
  });

  it('ends all processes at once on a second signal', async () => {
    endpoint.respond = () => undefined;
    await register();
    await add();
    await endpoint.nextCall();
    const pids = services();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    await service.signalAgain('SIGTERM');
    expect((await service.exited).code).to.equal(1);
    await allEnded(pids);
  });
});

describe('A start with WEB_CONCURRENCY', () => {
  it('ends when no process can serve, and says why', async () => {
    const holder = await EndpointServer.start();
    const { code, errors } = await ServiceProcess.run({
      STORE_URI: (await testStore()).uri,
      WEB_CONCURRENCY: '2',
      PORT: new URL(holder.url).port,
    });
    await holder.close();
    expect(code).to.equal(1);
    expect(errors).to.include('EADDRINUSE');
  });

  it('is refused with the embedded store', async () => {
    const { code, errors } = await ServiceProcess.run({ STORE: 'memory', WEB_CONCURRENCY: '2' });
    expect(code).to.equal(1);
    expect(errors).to.include('WEB_CONCURRENCY must be 1 with STORE=memory');
  });
});
