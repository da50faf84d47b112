import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import { ServiceProcess } from '../support/service-process.ts';

const HOLD = new URL('../support/embedded/held-reads.js', import.meta.url).href;

/** More than one piece of records. */
const JOBS = 1500;

async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

describe('the start of STORE=embedded, while its records are read', () => {
  let folder: TemporaryFolder;
  let url: string;
  let environment: Record<string, string>;
  let service: ServiceProcess;

  before(async () => {
    folder = new TemporaryFolder();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = { STORE_PATH: folder.in('data'), PORT: port };
    service = await ServiceProcess.start(environment);
    const jobs = Array.from({ length: JOBS }, () => ({ name: 'n', data: 1 }));
    expect((await service.call('POST', '/queues/mail/jobs', jobs)).status).to.equal(200);
    await service.stop();
  });

  after(() => folder.remove());

  beforeEach(async () => {
    rmSync(folder.in('released'), { force: true });
    service = ServiceProcess.begin({
      ...environment,
      NODE_OPTIONS: `--import=${HOLD}`,
      HELD_READS: folder.in('released'),
    });
    await eventually('a part of the records is loaded', async () => {
      const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
      return (await answer?.text())?.includes(': 0 %') === false;
    });
  });

  afterEach(() => service.kill());

  async function waitingJobs(): Promise<unknown> {
    const headers = { authorization: `Bearer ${ServiceProcess.token}` };
    const answer = await fetch(`${url}/queues/mail`, { headers });
    return ((await answer.json()) as { readonly counts: { readonly waiting: number } }).counts
      .waiting;
  }

  // holds: store.loading
  it('answers probes, and everything else with 503', async () => {
    const live = await fetch(`${url}/health/live`);
    expect([live.status, await live.text()]).to.deep.equal([200, '{"status":"up"}']);
    const ready = await fetch(`${url}/health/ready`);
    expect(ready.status).to.equal(503);
    expect(await ready.text()).to.match(
      /"The store is unavailable: \d\d % of its records are loaded"/,
    );
    for (const path of [
      '/queues',
      '/workers',
      '/dashboard',
      '/openapi.json',
      '/metrics',
      '/none',
    ]) {
      const answer = await fetch(url + path);
      expect([path, answer.status]).to.deep.equal([path, 503]);
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect(await answer.text()).to.equal('The service is starting, try again later');
    }
    writeFileSync(folder.in('released'), '');
    await service.logged('jobgate is listening');
    expect((await fetch(`${url}/health/ready`)).status).to.equal(200);
    expect(await waitingJobs()).to.equal(JOBS);
  });

  // holds: store.loading
  it('ends in order on SIGTERM, and the next start has everything', async () => {
    service.signal('SIGTERM');
    await service.logged('Stopping');
    // The thread answers the read that it holds before it closes the file.
    writeFileSync(folder.in('released'), '');
    expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    expect(service.logs.map(({ message }) => message)).not.to.include('jobgate is listening');
    service = await ServiceProcess.start(environment);
    expect(await waitingJobs()).to.equal(JOBS);
  });

  // holds: store.one-process
  it('refuses the folder to a second process', async () => {
    const { code, errors } = await ServiceProcess.run({ STORE_PATH: folder.in('data') });
    expect(code).to.equal(1);
    expect(errors).to.include(`STORE_PATH ${folder.in('data')} is in use`);
  });
});
