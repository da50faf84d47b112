import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';
import { createContainer } from './container/container.ts';
import { tokens } from './container/tokens.ts';

/** A running service, whole. */
export interface Service {
  /** The port that the REST interface listens on. */
  readonly port: number;
  /** @returns false when some work had to be given up. */
  stop(): Promise<boolean>;
}

/** @throws Error when a part cannot start, such as a port in use; what had started is stopped then. */
export async function startService(config: Config, logger: LoggerPort): Promise<Service> {
  const container = await createContainer(config, logger);
  const health = container.get(tokens.health);
  const supervisor = container.get(tokens.supervisor);
  const server = container.get(tokens.httpServer);
  if (config.auth.tokens.length === 0) {
    logger.warn('AUTH_TOKENS is not set: every request will be answered with 401');
  }
  await supervisor.start();
  return {
    port: server.port,
    stop: () => {
      health.markStopping();
      return supervisor.stop();
    },
  };
}
