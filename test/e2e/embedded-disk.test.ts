import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/called-service.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { isSlowLane } from '../support/lane.ts';

const DISK = new URL('../support/embedded/limited-disk.js', import.meta.url).href;

/** The answers to what finds no room, and to everything that would change something once the reserve is used up. */
const FULL =
  /^STORE_PATH is full: (reads, ends, control, and removing jobs one by one or by clean still work|only reads still work); free space on its disk$/;

const MEGABYTE = 1_048_576;

/** How long (ms) the service takes to look twice whether a full disk has room again. */
const TWO_LOOKS = 2500;

describe('the disk of STORE=embedded', () => {
  const services = new StartedServices();
  let folder: TemporaryFolder;
  let service: ServiceProcess;

  beforeEach(() => {
    folder = new TemporaryFolder();
    mkdirSync(folder.in('data'));
  });

  afterEach(async () => {
    await services.kill();
    folder.remove();
  });

  // holds: security.folder
  it('has a folder that other users cannot write, or the log has a warning', async () => {
    const warned: string[] = [];
    for (const mode of [0o700, 0o755, 0o757, 0o1777]) {
      chmodSync(folder.in('data'), mode);
      const { logs } = await services.start({ STORE_PATH: folder.in('data') });
      const line = logs.find(({ message }) => message?.startsWith('Other users may write'));
      if (line !== undefined) warned.push(`${String(line['level'])} ${mode.toString(8)}`);
      await services.kill();
    }
    expect(warned).to.deep.equal(['warn 757']);
  });

  function setDisk(state: number | 'fails' | 'does not sync'): void {
    writeFileSync(folder.in('disk'), String(state));
  }

  /** Leaves so many bytes beside the files that are there. */
  function leaveRoom(bytes: number): void {
    const names = readdirSync(folder.in('data'));
    const used = names.map((name) => statSync(folder.in(`data/${name}`)).size);
    setDisk(used.reduce((sum, size) => sum + size, bytes));
  }

  async function start(): Promise<void> {
    service = await services.start({
      STORE_PATH: folder.in('data'),
      NODE_OPTIONS: `--import=${DISK}`,
      LIMITED_FOLDER: folder.in('data'),
      LIMITED_DISK: folder.in('disk'),
    });
  }

  function add(queue = 'mail', count = 2): Promise<Answer> {
    const job = { name: 'n', data: 'x'.repeat(5000) };
    return service.call('POST', `/queues/${queue}/jobs`, new Array(count).fill(job));
  }

  /** Adds until the disk is full. @returns how many jobs were stored by the answers. */
  async function addUntilFull(): Promise<number> {
    for (let jobs = 0; ; jobs += 2) {
      const answer = await add();
      if (answer.status !== 200) {
        expect(answer.status).to.equal(507);
        expect(answer.body).to.match(FULL);
        return jobs;
      }
    }
  }

  /** Adds until nothing that the service gives back to the disk makes room any more. @returns how many were stored. */
  async function addUntilItStaysFull(): Promise<number> {
    let jobs = 0;
    let fullSince = performance.now();
    await eventually(
      'the disk stays full',
      async () => {
        const added = await addUntilFull();
        jobs += added;
        if (added > 0) fullSince = performance.now();
        return performance.now() - fullSince > TWO_LOOKS;
      },
      60_000,
    );
    return jobs;
  }

  async function waiting(): Promise<number> {
    const { body } = await service.call('GET', '/queues/mail');
    return (body as { readonly counts: { readonly waiting: number } }).counts.waiting;
  }

  // holds: store.full
  it('that is full refuses what needs room, stores nothing of it, and mends itself', async () => {
    setDisk(20 * MEGABYTE);
    await start();
    expect((await add()).status).to.equal(200);
    leaveRoom(MEGABYTE);
    const jobs = 2 + (await addUntilItStaysFull());
    expect(await waiting()).to.equal(jobs);
    const { body } = await service.call('GET', '/system');
    expect(body).to.have.nested.property('warnings[0].code', 'disk');
    expect((await service.call('GET', '/health/ready')).status).to.equal(200);
    const drained = await service.call('POST', '/queues/mail/drain');
    expect(drained.status).to.equal(507);
    expect(drained.body).to.match(FULL);
    // What frees room is still stored, as the answer says, and so is control.
    for (const action of ['pause', 'resume']) {
      expect((await service.call('POST', `/queues/mail/${action}`)).status).to.equal(200);
    }
    const clean = { filter: { ids: ['2'] } };
    expect((await service.call('POST', '/queues/mail/clean', clean)).body).to.include({ done: 1 });
    expect((await service.call('DELETE', '/queues/mail/jobs/1')).status).to.equal(200);
    setDisk(40 * MEGABYTE);
    await eventually('the queue takes jobs', async () => (await add()).status === 200);
    await services.kill();
    await start();
    expect(await waiting()).to.equal(jobs - 2 + 2);
  }).timeout(120_000);

  if (isSlowLane) {
    // holds: store.full
    it('mends itself when jobs are removed', async () => {
      setDisk(20 * MEGABYTE);
      await start();
      expect((await add('mail', 600)).status).to.equal(200);
      // The next change is answered once the log of so many jobs is copied, for which the disk needs room.
      expect((await add()).status).to.equal(200);
      leaveRoom(MEGABYTE);
      await addUntilItStaysFull();
      for (let id = 1; id <= 400; id += 1) {
        const { status } = await service.call('DELETE', `/queues/mail/jobs/${id}`);
        expect(status).to.equal(200);
      }
      await eventually('the queue takes jobs', async () => (await add()).status === 200);
    }).timeout(120_000);
  }

  // holds: store.full
  it('that is full at the start serves reads', async () => {
    setDisk(20 * MEGABYTE);
    await start();
    await add();
    leaveRoom(0);
    await services.kill();
    await start();
    expect(await waiting()).to.equal(2);
    expect((await service.call('GET', '/health/ready')).status).to.equal(200);
    const answers = [];
    for (let count = 0; count < 2000; count += 1) {
      const { status } = await add(`other`);
      answers.push(status);
      if (status !== 200) break;
    }
    expect(answers.at(-1)).to.equal(507);
  }).timeout(120_000);

  for (const state of ['fails', 'does not sync'] as const) {
    // holds: store.failed-write
    it(`that ${state} ends the process, after 503 for changes`, async () => {
      setDisk(40 * MEGABYTE);
      await start();
      expect((await add()).status).to.equal(200);
      setDisk(state);
      const answers = await Promise.all([add(), add(), add('other')]);
      expect(answers.map(({ status }) => status)).to.deep.equal([503, 503, 503]);
      expect((await add()).status).to.equal(503);
      expect((await service.call('GET', '/health/ready')).status).to.equal(503);
      expect(await service.exited).to.deep.equal({ code: 1, signal: null });
      setDisk(40 * MEGABYTE);
      await start();
      expect(await waiting()).to.be.within(2, 6);
    }).timeout(120_000);
  }
});
