import { findLocalBinary, installLocally, say } from './local-binary.ts';
import { ping } from './ping.ts';
import { dockerEngineAnswers, startRedisContainer } from './redis-container.ts';
import { RedisServer } from './redis-server.ts';
import type { StoreSeams } from './store-finders.ts';

/** What the finders see of the real machine. */
export const machineSeams: StoreSeams = {
  env: process.env,
  ping,
  findBinary: findLocalBinary,
  startServer: (binary) => RedisServer.start({ binary }),
  engineAnswers: dockerEngineAnswers,
  startContainer: startRedisContainer,
  install: installLocally,
  say,
};
