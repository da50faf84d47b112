import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { runProgram, runWith, type Run } from '../support/command-line.ts';
import { RecordFile } from '../../src/adapters/outbound/embedded/file/record-file.ts';
import { put } from '../support/embedded/records.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/lane.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

interface Ids {
  readonly jobs: readonly { readonly id: string }[];
}

describe('the files of an embedded store', () => {
  const services = new StartedServices();
  let folder: TemporaryFolder;
  let service: ServiceProcess;

  beforeEach(() => {
    folder = new TemporaryFolder();
  });

  afterEach(async () => {
    await services.kill();
    folder.remove();
  });

  async function start(name = 'data'): Promise<void> {
    service = await services.start({ STORE_PATH: folder.in(name) });
  }

  async function stop(): Promise<void> {
    expect((await service.stop()).code).to.equal(0);
  }

  const environment = () => ({ JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token });

  const store = (...args: string[]): Promise<Run> => runWith(environment(), ['store', ...args]);

  /** The same as a process of its own. */
  const program = (...args: string[]): Promise<Run> =>
    runProgram(environment(), ['store', ...args]);

  async function add(count: number, data: unknown = 1): Promise<readonly string[]> {
    const jobs = Array.from({ length: count }, () => ({ name: 'n', data }));
    const { status, body } = await service.call('POST', '/queues/mail/jobs', jobs);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body as Ids['jobs']).map(({ id }) => id);
  }

  async function ids(): Promise<readonly string[]> {
    const { body } = await service.call('GET', '/queues/mail/jobs?statuses=waiting&length=1000');
    return (body as Ids).jobs.map(({ id }) => id);
  }

  /** Has more in the store than the buffers between two processes take. */
  async function fill(): Promise<void> {
    const data = 'x'.repeat(400_000);
    for (let count = 0; count < rounds(4, 2); count += 1) await add(20, data);
  }

  async function backup(signal?: AbortSignal): Promise<Response> {
    return fetch(`${service.url}/store/backup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ServiceProcess.token}` },
      ...(signal && { signal }),
    });
  }

  // holds: store.backup
  it('are backed up while jobs are added, and a folder of the backup has all that was answered', async () => {
    await start();
    await fill();
    const before = await add(100);
    const enough = new AbortController();
    const adding = (async () => {
      while (!enough.signal.aborted) await add(1);
    })();
    const { code, output, errors } = await program('backup', folder.in('copy.db'));
    enough.abort();
    await adding;
    expect([code, errors]).to.deep.equal([0, '']);
    const { size, mode } = statSync(folder.in('copy.db'));
    expect(output).to.equal(`Wrote ${size} bytes to ${folder.in('copy.db')}\n`);
    expect(mode & 0o777).to.equal(0o600);
    const audited = await service.call('GET', '/audit?action=store.backup');
    expect(audited.body).to.have.nested.property('entries[0].outcome', 'ok');
    await stop();
    const restored = await program('restore', folder.in('copy.db'), folder.in('new'));
    expect([restored.code, restored.output]).to.match(/^0,Restored \d+ records to /);
    expect((await store('check', folder.in('new'))).code).to.equal(0);
    await start('new');
    expect(await ids()).to.include.members(before);
  }).timeout(60_000);

  // holds: store.backup
  it('are backed up for one client at a time, until it goes away', async () => {
    await start();
    await fill();
    const client = new AbortController();
    const first = await backup(client.signal);
    expect(first.status).to.equal(200);
    expect(first.headers.get('content-type')).to.equal('application/vnd.sqlite3');
    expect(first.headers.get('connection')).to.equal('keep-alive');
    const second = await store('backup', folder.in('second.db'));
    expect([second.code, second.errors]).to.deep.equal([
      1,
      'jobgate: Another backup is running (409)\n',
    ]);
    expect(existsSync(folder.in('second.db'))).to.be.false;
    client.abort();
    const third = await eventually('the next backup begins', async () => {
      const answer = await backup();
      return answer.ok && answer;
    });
    const bytes = Buffer.from(await third.arrayBuffer());
    expect(bytes.length).to.equal(Number(third.headers.get('content-length')));
    expect(bytes.toString('latin1', 0, 15)).to.equal('SQLite format 3');
    expect(existsSync(folder.in('data/backup.db'))).to.be.false;
    await stop();
  }).timeout(60_000);

  it('are not overwritten by a backup or a restored one', async () => {
    await start();
    writeFileSync(folder.in('mine'), 'mine');
    const refused = await store('backup', folder.in('mine'));
    expect([refused.code, refused.errors]).to.deep.equal([
      1,
      `jobgate: ${folder.in('mine')} exists\n`,
    ]);
    expect(readFileSync(folder.in('mine'), 'utf8')).to.equal('mine');
    await store('backup', folder.in('copy.db'));
    await stop();
    const over = await store('restore', folder.in('copy.db'), folder.in('data'));
    expect([over.code, over.errors]).to.deep.equal([
      1,
      `jobgate: ${folder.in('data')} holds a store\n`,
    ]);
    const lost = await store('restore', folder.in('lost.db'), folder.in('new'));
    expect([lost.code, lost.errors]).to.deep.equal([
      1,
      `jobgate: ${folder.in('lost.db')} is no file\n`,
    ]);
    expect(existsSync(folder.in('new'))).to.equal(false);
  });

  // holds: store.check
  it('are checked once the service has stopped, with the counts by kind', async () => {
    await start();
    await add(3);
    const used = await store('check', folder.in('data'));
    expect([used.code, used.errors]).to.deep.equal([
      1,
      `jobgate: STORE_PATH ${folder.in('data')} is in use\n`,
    ]);
    await stop();
    const { code, output } = await store('check', folder.in('data'));
    expect(code).to.equal(0);
    expect(output).to.match(/^job +3$/m);
    expect(output).to.match(/^sum +[0-9a-f]{8}$/m);
    expect(output).to.match(/^damage +none$/m);
    const none = await store('check', folder.in('none'));
    expect([none.code, none.errors]).to.deep.equal([
      1,
      `jobgate: ${folder.in('none')} has no jobgate.db\n`,
    ]);
  });

  // holds: store.check, store.recover
  it('that are damaged fail the check and a start, which names the command that recovers the rest', async () => {
    await start();
    await add(3, { marker: 'a-value-that-is-altered' });
    await add(1);
    await stop();
    const path = folder.in('data/jobgate.db');
    const bytes = readFileSync(path);
    const place = bytes.indexOf('a-value-that-is-altered');
    bytes.write('b', place);
    writeFileSync(path, bytes);
    const check = await store('check', folder.in('data'));
    expect(check.code).to.equal(1);
    expect(check.output).to.match(/^damage +jobgate\.db, record .* is altered$/m);
    const refused = await ServiceProcess.run({ STORE_PATH: folder.in('data') });
    expect(refused.code).to.equal(1);
    const [, ...words] = /"jobgate store (recover) (\S+) FILE"/.exec(refused.errors) ?? [];
    expect(words, refused.errors).to.deep.equal(['recover', folder.in('data')]);
    const recovered = await store(...words, folder.in('rescued.db'));
    expect(recovered.code).to.equal(0);
    expect(recovered.output).to.match(
      /^Wrote \d+ records to .*\nnot read: record .* is altered\n$/,
    );
    await store('restore', folder.in('rescued.db'), folder.in('rescued'));
    await start('rescued');
    expect((await ids()).length).to.be.greaterThan(0);
  });

  // holds: store.recover
  it('with a record of an unknown kind are refused, and recovered without it', async () => {
    await start();
    await add(2);
    await stop();
    const file = await RecordFile.open(folder.in('data'));
    await file.write([put('1', {}, 'mail', 'moon')]);
    await file.close();
    const refused = await ServiceProcess.run({ STORE_PATH: folder.in('data') });
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.include(
      'jobgate.db, record "moon" "mail" "1": records of the kind "moon" are unknown',
    );
    const check = await store('check', folder.in('data'));
    expect(check.code).to.equal(1);
    expect(check.output).to.match(/record "moon" "mail" "1" is of an unknown kind$/m);
    await store('recover', folder.in('data'), folder.in('rescued.db'));
    await store('restore', folder.in('rescued.db'), folder.in('rescued'));
    await start('rescued');
    expect(await ids()).to.have.members(['1', '2']);
  });
});
