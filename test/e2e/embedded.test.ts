import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeService, PARTS_OF_STORES } from './service/describe-service.ts';

const folders: string[] = [];

after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describeService(
  'STORE=embedded',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-'));
    folders.push(folder);
    return { STORE_PATH: folder };
  },
  undefined,
  PARTS_OF_STORES,
);
