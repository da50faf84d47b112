import { RedisServer } from './redis-server.ts';

/** A test run in miniature for the test of what becomes of its server: it prints where it is. */
const server = await RedisServer.start();
console.log(server.uri);
setInterval(() => undefined, 60_000);
