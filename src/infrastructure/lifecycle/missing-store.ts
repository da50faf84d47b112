import { once } from 'node:events';
import { connect } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that set a store or tokens. If any of them is set, the service starts. */
const NEEDED = /^(?:STORE|AUTH_TOKENS|ACCESS_TOKENS_FILE|JWT_ISSUERS_FILE)/;

const REDIS_PORT = 6379;
/** How long (ms) a Redis on this machine takes at most to accept a connection. */
const PATIENCE = 1000;

const TEXT = `jobgate needs a store for its jobs and tokens for its clients. Nothing is set, and there is no Redis on
localhost:${REDIS_PORT}. Start it with one of

  STORE=memory AUTH_TOKENS=secret npx jobgate
      keeps jobs in memory until it ends, to try it out
  STORE_URI=redis://localhost:6379 AUTH_TOKENS=secret npx jobgate
      keeps jobs in Redis, or in Valkey

jobgate help service lists all variables, jobgate help the commands.`;

/** What is missing when no store is configured and no Redis is running here; undefined when the service may start. */
export async function missingStore(
  environment: Environment,
  port = REDIS_PORT,
): Promise<string | undefined> {
  if (Object.keys(environment).some((name) => NEEDED.test(name))) return undefined;
  return (await acceptsConnections(port)) ? undefined : TEXT;
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect({ port, host: 'localhost' });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
