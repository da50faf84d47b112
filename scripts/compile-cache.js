// For the image: starts the built service once as the image does, so that Node.js keeps the code that it compiled, which
// it looks for by the user who runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const USER = 1000;
const FOLDER = '.compile-cache';

mkdirSync(FOLDER);
chownSync(FOLDER, USER, USER);
const service = spawn(process.execPath, ['--max-semi-space-size=8', 'dist/main.js'], {
  uid: USER,
  gid: USER,
  env: { NODE_ENV: 'production', LOG_FORMAT: 'json', STORE_PATH: '/tmp/once', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface({ input: service.stdout }).on('line', (line) => {
  if (JSON.parse(line).message === 'jobgate is listening') service.kill('SIGTERM');
});
[process.exitCode] = await once(service, 'exit');
