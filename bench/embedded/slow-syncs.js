// Loaded into the service before its own modules. The thread of the embedded store finds a disk on which each sync takes
// SYNC_DELAY ms more, as far as Node.js makes it (the WebAssembly build of SQLite), and the lag of the event loop at p99
// in ms is in LAG_FILE once the service has stopped.
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION = 1;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  delays.enable();
  process.on('exit', () => {
    const lag = delays.percentile(99) / 1e6 - RESOLUTION;
    fs.writeFileSync(process.env.LAG_FILE, String(lag));
  });
} else {
  const { fsyncSync } = fs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  fs.fsyncSync = (descriptor) => {
    Atomics.wait(never, 0, 0, Number(process.env.SYNC_DELAY));
    fsyncSync(descriptor);
  };
}
