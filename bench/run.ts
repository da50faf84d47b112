import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table, type Result } from './report.ts';
import { benchAdd } from './scenarios/add.ts';
import { benchHttp } from './scenarios/http.ts';
import { benchProcessing } from './scenarios/processing.ts';
import { benchRest } from './scenarios/rest.ts';
import { benchLatency } from './scenarios/latency.ts';
import { benchList } from './scenarios/list.ts';

const SCENARIOS: Readonly<Record<string, (rounds: number) => Promise<readonly Result[]>>> = {
  add: benchAdd,
  list: benchList,
  http: benchHttp,
  processing: benchProcessing,
  latency: benchLatency,
  rest: benchRest,
};

const USAGE = `Usage: npm run bench -- [${Object.keys(SCENARIOS).join('] [')}] [--rounds 5] [--json FILE]`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
const unknown = names.filter((name) => SCENARIOS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(', ')}.\n${USAGE}`);
  process.exit(1);
}

const results: Result[] = [];
console.log(`Node ${process.version}, medians of ${values.rounds} rounds, contenders in turn\n`);
for (const name of names) {
  for (const result of (await SCENARIOS[name]?.(Number(values.rounds))) ?? []) {
    results.push(result);
    console.log(table(result));
  }
}
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
}
