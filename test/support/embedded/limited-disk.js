// Preloaded into the service (`NODE_OPTIONS=--import`): the folder LIMITED_FOLDER is on a disk whose state is in the file
// LIMITED_DISK: how many bytes it takes, `fails` when writes fail otherwise, or `does not sync`. Only the WebAssembly
// build of SQLite writes through Node.js, so that it is used here everywhere.
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const { LIMITED_FOLDER: folder, LIMITED_DISK: disk } = process.env;
const { writeSync, fsyncSync, statfsSync } = fs;
const { getBuiltinModule } = process;

process.getBuiltinModule = (name) =>
  name === 'node:sqlite' ? undefined : getBuiltinModule.call(process, name);

fs.writeSync = (file, data, offset, length, position) => {
  const end = checkWrite(file, data, length, position);
  if (end > 0) checkRoom(file, end);
  return writeSync(file, data, offset, length, position);
};

fs.fsyncSync = (file) => {
  if (isOnDisk(file) && state() === 'does not sync') throw failure('EIO', 'fsync');
  fsyncSync(file);
};

fs.statfsSync = (path) => {
  const most = Number(state());
  if (path !== folder || Number.isNaN(most)) return statfsSync(path);
  return { bsize: 1, blocks: most, bavail: Math.max(0, most - used()) };
};

syncBuiltinESMExports();

function state() {
  return fs.readFileSync(disk, 'utf8');
}

function isOnDisk(file) {
  return fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(`${folder}/`);
}

/** Where the write ends, or 0 for a file elsewhere. */
function checkWrite(file, data, length, position) {
  if (!isOnDisk(file)) return 0;
  if (state() === 'fails') throw failure('EIO', 'write');
  const bytes = typeof length === 'number' ? length : Buffer.byteLength(data);
  return (typeof position === 'number' ? position : fs.fstatSync(file).size) + bytes;
}

function checkRoom(file, end) {
  const growth = end - fs.fstatSync(file).size;
  const most = Number(state());
  if (growth <= 0 || Number.isNaN(most)) return;
  if (used() + growth > most) throw failure('ENOSPC', 'write');
}

function used() {
  return fs.readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

function sizeOf(path) {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function failure(code, call) {
  return Object.assign(new Error(`${code}: ${call}`), { code, syscall: call });
}
