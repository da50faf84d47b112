import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecordFile } from '../../src/adapters/outbound/embedded/file/record-file.ts';
import type { WrittenJob } from '../../src/adapters/outbound/memory/records/job-record.ts';
import type { RecordChange } from '../../src/adapters/outbound/memory/records/record.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const HEADERS = {
  'content-type': 'application/json',
};

/** How often the service is killed while jobs are added to it. */
const KILLS = rounds(4, 2);

describe('STORE=embedded', () => {
  const services = new StartedServices();
  let folder: string;
  let service: ServiceProcess;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
    await start();
  });

  afterEach(async () => {
    await services.kill();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    service = await services.start({ STORE_PATH: folder, STALLED_INTERVAL: '1000' });
  }

  async function killAndStart(): Promise<void> {
    await services.kill();
    await start();
  }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    token: string = ServiceProcess.token,
  ): Promise<unknown> {
    const response = await fetch(service.url + path, {
      method,
      headers: { ...HEADERS, authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  }

  async function idsOf(query: string): Promise<readonly string[]> {
    const { jobs } = (await call('GET', `/queues/mail/jobs?${query}`)) as {
      jobs: readonly { readonly id: string }[];
    };
    return jobs.map(({ id }) => id);
  }

  it('is chosen by STORE_PATH, and in the log and the report of the system without a warning', async () => {
    const line = service.logs.find(({ message }) => message === 'Store chosen');
    expect(line).to.include({ store: 'embedded', path: folder, reason: 'STORE_PATH is set' });
    const { store, warnings } = (await call('GET', '/system')) as Record<string, unknown>;
    expect(store).to.include({ kind: 'embedded', path: folder });
    expect(warnings).to.deep.equal([]);
  });

  /** Has the records of jobs be as the release before wrote them: what it kept in their payloads alone is there. */
  async function rewriteRecords(): Promise<number> {
    const file = await RecordFile.open(folder);
    const earlier: RecordChange[] = [];
    for await (const piece of file.records()) {
      for (const record of piece.filter(({ kind }) => kind === 'job')) {
        const written = JSON.parse(record.value) as WrittenJob;
        if (written.name === undefined) continue;
        const value = { ...written, name: undefined, firstDelay: undefined, hasLogs: undefined };
        earlier.push({ ...record, value: JSON.stringify(value) });
      }
    }
    await file.write(earlier);
    await file.close();
    return earlier.length;
  }

  it('opens a folder of the release before, and writes its jobs anew', async () => {
    await call('POST', '/queues/mail/jobs', [
      { name: 'welcome', data: { to: 'ada' } },
      { name: 'later', data: 1, opts: { delay: 3_600_000 } },
      { name: '', data: 2, opts: { jobId: 'ended' } },
    ]);
    await call('POST', '/queues/done/jobs', [{ name: 'report', data: 3 }]);
    const [{ token }] = (await call('POST', '/queues/done/jobs/claim')) as [
      { readonly token: string },
    ];
    await call('POST', '/queues/done/jobs/1/logs', 'half', token);
    await call('POST', '/queues/done/jobs/1/complete', { pages: 7 }, token);
    const shown = (): Promise<readonly unknown[]> =>
      Promise.all(
        ['/queues/mail/jobs', '/queues/done/jobs/1', '/queues/done/jobs/1/logs'].map((path) =>
          call('GET', path),
        ),
      );
    const before = await shown();
    await service.stop();
    expect(await rewriteRecords()).to.equal(4);
    await start();
    expect(await shown()).to.deep.equal(before);
    await eventually('all jobs are written anew', async () => {
      await service.stop();
      const file = await RecordFile.open(folder);
      const names: unknown[] = [];
      for await (const piece of file.records()) {
        const jobs = piece.filter(({ kind }) => kind === 'job');
        names.push(...jobs.map(({ value }) => (JSON.parse(value) as WrittenJob).name));
      }
      await file.close();
      await start();
      return !names.includes(undefined);
    });
    expect(await shown()).to.deep.equal(before);
  });

  // holds: store.acknowledged
  it('has after a kill -9 all that was answered before', async () => {
    await call('POST', '/queues/mail/jobs', [
      { name: 'welcome', data: { to: 'ada' } },
      { name: 'later', data: 1, opts: { delay: 3_600_000 } },
      { name: 'first', data: 2, opts: { priority: 3 } },
      { name: 'of a group', data: 3, opts: { group: { id: 'acme' } } },
    ]);
    await call('PUT', '/queues/mail/schedulers/report', {
      repeat: { every: 3_600_000 },
      job: { name: 'report', data: {} },
    });
    await call('PUT', '/queues/mail/policy', { maxWaiting: 500 });
    await call('PUT', '/queues/mail/groups/acme', { weight: 3 });
    await call('POST', '/queues/mail/pause');
    const token = (await call('POST', '/tokens', { name: 'shop', rights: ['add'] })) as object;
    const reads = ['/queues/mail', '/queues/mail/jobs', '/queues/mail/schedulers/report'];
    const before = [];
    for (const path of reads) before.push(await call('GET', path));
    await killAndStart();
    const after = [];
    for (const path of reads) after.push(await call('GET', path));
    expect(withoutAges(after)).to.deep.equal(withoutAges(before));
    const { tokens } = (await call('GET', '/tokens')) as { tokens: readonly object[] };
    expect(JSON.stringify(tokens)).to.include('"shop"');
    expect(token).to.have.property('token');
    expect(await call('GET', '/queues/mail/groups/acme')).to.deep.include({
      settings: { weight: 3 },
      waiting: 1,
    });
  });

  // holds: store.calls
  it('calls a job again at once whose call ran when the process was killed', async () => {
    const endpoint = await EndpointServer.start();
    try {
      const calls: string[] = [];
      endpoint.respond = ({ body }, response) => {
        if (calls.push(body.job.id) > 1) response.end();
      };
      await call('POST', '/workers', {
        queue: 'mail',
        endpoint: { url: endpoint.url, method: 'post' },
      });
      await call('POST', '/queues/mail/jobs', [{ name: 'welcome', data: {} }]);
      await endpoint.nextCall();
      await killAndStart();
      await endpoint.nextCall();
      expect(calls).to.deep.equal(['1', '1']);
    } finally {
      await endpoint.close();
    }
  });

  // holds: store.acknowledged
  it('loses no job that was answered, and keeps the order of ids, however often it is killed', async () => {
    const answered: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const adding = addUntilKilled(answered);
      while (answered.length < (kill + 1) * 40) await sleep(5);
      await services.kill();
      await adding;
      await start();
      const stored = new Set(await idsOf('statuses=waiting&length=1000'));
      expect(answered.filter((id) => !stored.has(id))).to.deep.equal([]);
    }
    const newestFirst = (await idsOf('statuses=waiting&length=1000')).map(Number);
    expect(newestFirst).to.deep.equal(newestFirst.toSorted((one, other) => other - one));
  }).timeout(120_000);

  // holds: store.one-process
  it('is refused to a second process', async () => {
    const { code, errors } = await ServiceProcess.run({ STORE_PATH: folder });
    expect(code).to.equal(1);
    expect(errors).to.include(`STORE_PATH ${folder} is in use`);
  });

  async function addUntilKilled(answered: string[]): Promise<void> {
    for (;;) {
      try {
        const [job] = (await call('POST', '/queues/mail/jobs', [{ name: 'n', data: 1 }])) as [
          { readonly id: string },
        ];
        answered.push(job.id);
      } catch {
        return;
      }
    }
  }
});

/** Ages go on while the service is away. */
function withoutAges(answers: readonly unknown[]): unknown {
  return JSON.parse(
    JSON.stringify(answers, (name, value: unknown) => (name === 'oldestWaiting' ? 0 : value)),
  );
}
