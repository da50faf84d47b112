import { ServerSession } from '../server-session.ts';

const ADDRESS = 'TEST_BROWSER';

/** The Chromium of the run. Loading this module alone starts none. */
export const browserSession = new ServerSession(ADDRESS, async () => {
  const { startChromium } = await import('./chromium.ts');
  const given = process.env[ADDRESS];
  if (given === undefined) return startChromium();
  // The one of the process that started this one.
  return { uri: given, origin: ADDRESS, stop: () => Promise.resolve() };
});
