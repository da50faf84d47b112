import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Fail } from 'jobgate-client';

/**
 * The real path of a folder below the base folder.
 *
 * @throws Fail when it is missing or leads out of the base folder, through a link too.
 */
export async function folderBelow(base, folder) {
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0')) {
    throw new Fail('data.folder must be the path of a folder');
  }
  const realBase = await realpath(base);
  const path = resolve(realBase, folder);
  // Before the disk is asked, so that nobody learns what exists outside.
  if (!isWithin(realBase, path)) throw new Fail(`${folder} is outside of the base folder`);
  const realFolder = await realpath(path).catch(() => {
    throw new Fail(`There is no folder ${folder}`);
  });
  if (!isWithin(realBase, realFolder)) throw new Fail(`${folder} is outside of the base folder`);
  return realFolder;
}

function isWithin(base, path) {
  const way = relative(base, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Names of the plain files in a folder, in order. Links are left out: they may lead anywhere. */
export async function fileNames(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') throw new Fail('data.folder is not a folder');
    throw error;
  });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return names.sort();
}

/** Reads the file piece by piece, so that its size does not matter. */
export async function checksum(folder, name, signal) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(join(folder, name), { signal })) {
    hash.update(piece);
    size += piece.length;
  }
  return { name, size, sha256: hash.digest('hex') };
}
