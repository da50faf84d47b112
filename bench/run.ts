import { writeFileSync } from 'node:fs';
import { benchOptions, OPTIONS_USAGE, type BenchOptions } from './bench-options.ts';
import { table, type Result } from './report.ts';
import { benchAdd } from './scenarios/add.ts';
import { benchBatches } from './scenarios/batches.ts';
import { benchCallbacks } from './scenarios/callbacks.ts';
import { benchCapacity } from './scenarios/capacity.ts';
import { benchControl } from './scenarios/control.ts';
import { benchDemand } from './scenarios/demand.ts';
import { benchEmbedded } from './scenarios/embedded.ts';
import { benchPostgres } from './scenarios/postgres.ts';
import { benchErase } from './scenarios/erase.ts';
import { benchEvents } from './scenarios/events.ts';
import { benchFull } from './scenarios/full.ts';
import { benchGrowth } from './scenarios/growth.ts';
import { benchGroups } from './scenarios/groups.ts';
import { benchHeld } from './scenarios/held.ts';
import { benchHostile } from './scenarios/hostile.ts';
import { benchHttp } from './scenarios/http.ts';
import { benchProcessing } from './scenarios/processing.ts';
import { benchPull } from './scenarios/pull.ts';
import { benchRead } from './scenarios/read.ts';
import { benchRest } from './scenarios/rest.ts';
import { benchRights } from './scenarios/rights.ts';
import { benchLatency } from './scenarios/latency.ts';
import { benchList } from './scenarios/list.ts';
import { benchSight } from './scenarios/sight.ts';
import { benchQstash } from './scenarios/qstash.ts';
import { benchSqs } from './scenarios/sqs.ts';
import { benchSteps } from './scenarios/steps.ts';
import { benchTopics } from './scenarios/topics.ts';
import { benchWindows } from './scenarios/windows.ts';

type Scenario = (rounds: number, options: BenchOptions) => Promise<readonly Result[]>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  add: benchAdd,
  list: benchList,
  http: benchHttp,
  read: benchRead,
  processing: benchProcessing,
  batches: benchBatches,
  callbacks: benchCallbacks,
  groups: benchGroups,
  pull: benchPull,
  growth: benchGrowth,
  latency: benchLatency,
  rest: benchRest,
  rights: benchRights,
  capacity: benchCapacity,
  control: benchControl,
  hostile: benchHostile,
  full: benchFull,
  held: benchHeld,
  events: benchEvents,
  sight: benchSight,
  demand: benchDemand,
  embedded: benchEmbedded,
  erase: benchErase,
  postgres: benchPostgres,
  sqs: benchSqs,
  qstash: benchQstash,
  steps: benchSteps,
  topics: benchTopics,
  windows: benchWindows,
};

const USAGE = `Usage: npm run bench -- [${Object.keys(SCENARIOS).join('] [')}] ${OPTIONS_USAGE}`;

const options = read();
const { json } = options;

/** Measured so often unless `--rounds` is given: these take long, and of an attack the worst wait is what counts. */
const USUAL_ROUNDS: Readonly<Record<string, number>> = { hostile: 1, embedded: 3, windows: 2 };

function roundsOf(name: string): number {
  return options.rounds ?? USUAL_ROUNDS[name] ?? 5;
}

/** Minutes long: only when they are asked for. */
const ON_REQUEST: readonly string[] = [
  'callbacks',
  'capacity',
  'control',
  'full',
  'held',
  'hostile',
  'embedded',
  'erase',
  'postgres',
  'qstash',
  'sqs',
  'steps',
  'topics',
  'windows',
];
const everyday = Object.keys(SCENARIOS).filter((name) => !ON_REQUEST.includes(name));
const names = options.names.length > 0 ? options.names : everyday;

const results: Result[] = [];
console.log(`Node ${process.version}, medians of all rounds, contenders in turn\n`);
for (const name of names) {
  for (const result of (await SCENARIOS[name]?.(roundsOf(name), options)) ?? []) {
    results.push(result);
    console.log(table(result));
  }
}
if (json !== undefined) {
  writeFileSync(json, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
}

function read(): BenchOptions {
  try {
    const given = benchOptions();
    const unknown = given.names.filter((name) => SCENARIOS[name] === undefined);
    if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}`);
    return given;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(1);
  }
}
