import type { Declaration } from '../command.ts';

export const qstashDevCommand: Declaration = {
  usage: 'qstash-dev',
  summary: 'serve programs that run with QSTASH_DEV=1, on this machine alone',
  details:
    'It listens on 127.0.0.1, port 8080 or QSTASH_DEV_PORT, with the token and the signing keys that the clients ' +
    'of QStash expect there, and keeps everything in memory unless STORE, STORE_URI or STORE_PATH names a store.',
  run: ({ without }) => without.services.startQstashDev(),
};
