import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { transformSync } from 'esbuild';

const THREADS = 8;

/** Collects once all threads are there. */
const COLLECTING = `
  const { workerData } = require('node:worker_threads');
  import(workerData.module).then(({ collectNow }) => {
    const arrived = new Int32Array(workerData.arrived);
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < ${THREADS});
    collectNow();
  });
`;

describe('a collection that is asked for', () => {
  it('succeeds in several threads at once, which share the flags of V8', async () => {
    const path = fileURLToPath(
      new URL('../../../src/adapters/shared/collect-now.ts', import.meta.url),
    );
    const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts' });
    const module = `data:text/javascript,${encodeURIComponent(code)}`;
    const workerData = { module, arrived: new SharedArrayBuffer(4) };
    const threads = Array.from({ length: THREADS }, () => {
      return new Worker(COLLECTING, { eval: true, workerData, execArgv: [] });
    });
    const ends = await Promise.all(threads.map((thread) => once(thread, 'exit')));
    expect(ends.flat()).to.deep.equal(Array.from({ length: THREADS }, () => 0));
  });
});
