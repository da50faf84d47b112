import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DATABASE_NAME } from '../../src/adapters/outbound/embedded/file/store-files.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { Ledger } from './support/kills/ledger.ts';
import type { Life, Line } from './support/kills/life.ts';
import { rounds } from '../support/lane.ts';

/** `KILLS=10000 npm run test:file -- test/chaos/embedded-ports-kills.test.ts` for more of them, `SEED` for others. */
const KILLS = Number(process.env['KILLS'] ?? rounds(100, 8));
const SEED = Number(process.env['SEED'] ?? 47);

const BUILD = fileURLToPath(new URL('support/kills/build-killed-store.js', import.meta.url));

/** How long (ms) after its start a store may be killed, and after it is open. */
const STARTING = 300;
const LIVING = 150;
/** How long (ms) one may take to fill its log, and to copy some of it. */
const FILLING = 3000;
const COPYING = 20;

/** How many jobs a queue may have before they are ended and another queue is taken. */
const MOST_JOBS = 600;

type Moment = 'while it starts' | 'while it copies its log' | 'at work';

describe('the embedded store under SIGKILL', () => {
  const programs = new TemporaryFolder();
  const folder = new TemporaryFolder();
  const random = seededRandom(SEED);
  const hits: Record<Moment, number> = {
    'while it starts': 0,
    'while it copies its log': 0,
    'at work': 0,
  };
  let ledger: Ledger;
  let queues = 0;

  before(() => {
    execFileSync(process.execPath, [BUILD, programs.path]);
  });

  after(() => {
    programs.remove();
    folder.remove();
  });

  // holds: store.acknowledged
  it(`keeps what it answered through ${KILLS} kills`, async () => {
    ledger = new Ledger();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (ledger.size > MOST_JOBS) await endQueue();
      const moment = pickMoment();
      hits[moment] += Number(await live(moment));
      if (kill % 100 === 0) console.log(new Date().toISOString(), `${kill} kills`, hits);
    }
    await endQueue();
    expect((await readdir(folder.path)).filter((name) => name.startsWith('lock'))).to.deep.equal(
      [],
    );
  }).timeout(60_000 + KILLS * 10_000);

  function pickMoment(): Moment {
    const chance = random();
    if (chance < 0.15) return 'while it starts';
    return chance < 0.2 ? 'while it copies its log' : 'at work';
  }

  async function endQueue(): Promise<void> {
    const store = new KilledStore(programs.path, life(500, true), ledger);
    await store.end();
    ledger = new Ledger();
    queues += 1;
  }

  function life(size: number, isLast = false): Life {
    return {
      folder: folder.path,
      queue: `queue-${queues}`,
      seed: Math.floor(random() * 2 ** 32),
      size,
      ...ledger.begin(),
      isLast,
    };
  }

  /** @returns whether the moment was hit. */
  async function live(moment: Moment): Promise<boolean> {
    const isCopying = moment === 'while it copies its log';
    const store = new KilledStore(programs.path, life(isCopying ? 100_000 : 500), ledger);
    let isHit = true;
    if (moment === 'while it starts') {
      await sleep(random() * STARTING);
      isHit = !store.isOpen;
    } else {
      await store.opened;
      if (isCopying) isHit = await copies();
      await sleep(isCopying ? random() * COPYING : random() ** 2 * LIVING);
    }
    await store.kill();
    return isHit;
  }

  /** Resolves once the store writes to its database, or has been given time enough. */
  async function copies(): Promise<boolean> {
    const ending = new AbortController();
    const watcher = watch(folder.path, { signal: ending.signal });
    const hit = new Promise<boolean>((resolve) => {
      watcher.on('change', (_, name) => {
        if (name === DATABASE_NAME) resolve(true);
      });
    });
    const isHit = await Promise.race([hit, sleep(FILLING, false, { signal: ending.signal })]);
    ending.abort();
    return isHit;
  }
});

/** A process with the store, whose lines go to the ledger. */
class KilledStore {
  readonly opened: Promise<void>;
  readonly #process;
  readonly #closed: Promise<unknown>;
  #isOpen = false;
  #hasEnded = false;
  #errors = '';
  #failure: Error | undefined;

  constructor(programs: string, life: Life, ledger: Ledger) {
    this.#process = spawn(process.execPath, [`${programs}/killed-store.js`, JSON.stringify(life)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    this.#closed = once(this.#process, 'close');
    const lines = createInterface({ input: this.#process.stdout });
    this.opened = new Promise((resolve, reject) => {
      lines.on('line', (text) => {
        const line = parsed(text);
        if (line === undefined || this.#failure !== undefined) return;
        try {
          ledger.note(line);
        } catch (error) {
          this.#failure = error as Error;
          reject(this.#failure);
        }
        if (line[0] === 'found') {
          this.#isOpen = true;
          resolve();
        }
        if (line[0] === 'ended') this.#hasEnded = true;
      });
      void this.#closed.then(() => {
        reject(new Error(`The store ended: ${this.#errors}`));
      });
    });
    this.opened.catch(() => undefined);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves once it has ended everything. */
  async end(): Promise<void> {
    const [code] = (await this.#closed) as [number | null];
    if (this.#failure !== undefined) throw this.#failure;
    expect(code, this.#errors).to.equal(0);
    expect(this.#hasEnded).to.be.true;
  }

  /** @throws what the ledger found, or how the store failed before. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    const [, signal] = (await this.#closed) as [number | null, string | null];
    if (this.#failure !== undefined) throw this.#failure;
    expect(signal, this.#errors).to.equal('SIGKILL');
  }
}

/** A line that the process had not finished is none. */
function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
