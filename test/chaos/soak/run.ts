import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { lasting } from '../support/ledger-endpoint.ts';
import { startDurableRedis } from '../support/outage.ts';
import { Play } from '../support/play.ts';
import { Replicas } from '../support/replicas.ts';
import { capacity } from './calibrate.ts';
import { residentMemory } from './resident-memory.ts';
import { steadyLoad } from './steady-load.ts';

const KILL_EVERY = 20_000;
const RESTART_EVERY = 60_000;
const REPORT_EVERY = 30_000;
const CALIBRATION_SECONDS = 10;

/** The share of what the machine can do that the soak asks for. */
const SHARE = 0.7;

/** Jobs of a killed replica are found in some seconds instead of a minute. */
const QUICK = { LOCK_DURATION: '5000', STALLED_INTERVAL: '2500' };

const WORKER = { concurrency: 50, maxStalledCount: 100, removeOnComplete: { count: 1000 } };

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string' } },
});
const duration = Number(values.minutes) * 60_000;
const processor = cpus()[0]?.model ?? 'unknown processor';
console.log(`${cpus().length} cores (${processor}), Node ${process.version}\n`);

const store = await startDurableRedis();
const replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
const play = await Play.begin(lasting(10));
const { client, endpoint, ledger } = play;
// It is never killed, so that its memory can be watched for the whole time.
const [witness] = replicas.running;
if (witness === undefined) throw new Error('No replica runs');
await client.register(witness, endpoint.origin, WORKER);

const most = await capacity(play, replicas, CALIBRATION_SECONDS);
const rate = Math.round(values.rate === undefined ? most * SHARE : Number(values.rate));
const share = ((rate / most) * 100).toFixed(0);
console.log(
  `The machine can do ${most.toFixed(0)} jobs/s; the load is ${rate} jobs/s, ${share} %\n`,
);

const over = new AbortController();
const started = performance.now();
let kills = 0;
let restarts = 0;

/** Does something again and again until the soak is over, the first time after `first` ms. */
async function every(ms: number, work: () => Promise<void>, first = ms): Promise<void> {
  for (let next = first; next < duration; next += ms) {
    await sleep(started + next - performance.now());
    await work();
  }
}

async function kill(): Promise<void> {
  const victim = replicas.running.find((service) => service !== witness);
  if (victim === undefined) return;
  await replicas.crash(victim);
  kills += 1;
  await replicas.add();
}

async function restartStore(): Promise<void> {
  await store.kill();
  await store.restart();
  restarts += 1;
}

const memory: number[] = [];

async function report(): Promise<void> {
  const pids = [witness?.pid ?? 0, ...replicas.running.slice(1).map(({ pid }) => pid), store.pid];
  const [own = 0, ...others] = await Promise.all(pids.map(residentMemory));
  memory.push(own);
  const facts = {
    minutes: ((performance.now() - started) / 60_000).toFixed(1),
    accepted: ledger.numbers('accepted').length,
    called: ledger.distinctCalls,
    duplicated: ledger.duplicates.length,
    refused: ledger.numbers('refused').length,
    unanswered: ledger.numbers('unanswered').length,
    kills,
    restarts,
    'RSS MB': `${own} (others ${others.slice(0, -1).join(', ')}, store ${others.at(-1) ?? ''})`,
  };
  console.log(
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  );
}

const load = steadyLoad(play, replicas, rate, over.signal);
await Promise.all([
  every(KILL_EVERY, kill),
  every(RESTART_EVERY, restartStore),
  // Not in the moment in which the store is restarted.
  every(REPORT_EVERY, report, REPORT_EVERY - 5000),
  sleep(duration),
]);
over.abort();
await load;
const counts = await client.untilFinished(witness, 120_000);
await report();
ledger.completedAll();

const { accepted, processed, duplicated, lost } = ledger.totals;
console.log();
console.table({
  accepted,
  processed,
  duplicated,
  lost,
  failed: counts['failed'],
  'stored twice': ledger.storedTwice.length,
  'refused with 503': ledger.numbers('refused').length,
  'unanswered, replica killed': ledger.numbers('unanswered').length,
  'stored though refused or unanswered': ledger.distinctCalls - accepted,
  'kill -9 of a replica': kills,
  'kill -9 and restart of the store': restarts,
  'RSS of a replica, MB': memory.join(' '),
});

await replicas.kill();
await store.stop();
await play.end();
process.exitCode = lost + (counts['failed'] ?? 0) + ledger.storedTwice.length > 0 ? 1 : 0;
