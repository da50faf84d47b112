import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';
import { createContainer } from './container/container.ts';
import { tokens } from './container/tokens.ts';

/** The service, whole and wired. */
export interface Service {
  /** The port that the REST interface listens on, once started. */
  readonly port: number;
  /** The port of the metrics alone, if there is one, once started. */
  readonly metricsPort: number | undefined;
  /**
   * @returns false when a signal stopped it meanwhile.
   * @throws Error when a part cannot start, such as a port in use; what had started is stopped then.
   */
  start(): Promise<boolean>;
  /** Drains the service and ends it, also while it starts. @returns false when work had to be given up. */
  stop(): Promise<boolean>;
}

export async function createService(config: Config, logger: LoggerPort): Promise<Service> {
  const container = await createContainer(config, logger);
  const health = container.get(tokens.health);
  const supervisor = container.get(tokens.supervisor);
  const server = container.get(tokens.httpServer);
  const metricsServer = container.get(tokens.metricsServer);
  return {
    get port() {
      return server.port;
    },
    get metricsPort() {
      return metricsServer?.port;
    },
    start: () => {
      if (container.get(tokens.configuredTokens).all.length === 0) {
        logger.warn('AUTH_TOKENS is not set: every request will be answered with 401');
      }
      return supervisor.start();
    },
    stop: () => {
      health.markStopping();
      return supervisor.stop();
    },
  };
}
