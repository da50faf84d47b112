import { storeSession } from './redis/store-session.ts';

/** Mocha root plugin (`require` in .mocharc.yml): the store of the run begins and ends with it. */

export async function mochaGlobalSetup(): Promise<void> {
  await storeSession.begin();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await storeSession.end();
}
