import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes SHA256SUMS over all files of a folder, as `sha256sum --check` reads it. @returns the names of the files. */
export async function writeChecksums(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    }),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
  return [...names, 'SHA256SUMS'];
}
