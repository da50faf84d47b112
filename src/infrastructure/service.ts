import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';
import { createContainer } from './container/container.ts';
import { tokens } from './container/tokens.ts';

/** The complete, wired service. */
export interface Service {
  /** The port of the REST interface, once started. */
  readonly port: number;
  /** The separate port of the metrics, if there is one, once started. */
  readonly metricsPort: number | undefined;
  /**
   * @returns false when a signal stopped it in the meantime.
   * @throws Error when a part cannot start, such as on a port that is in use; the parts started before are then
   * stopped.
   */
  start(): Promise<boolean>;
  /**
   * Drains and stops the service, even while it is starting, after the signal that asks for it, if any. @returns false
   * when work had to be abandoned.
   */
  stop(signal?: NodeJS.Signals): Promise<boolean>;
}

export async function createService(config: Config, logger: LoggerPort): Promise<Service> {
  const container = await createContainer(config, logger);
  const { health } = container.get(tokens.application);
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
      if (container.get(tokens.configured).all.length === 0) {
        logger.warn('AUTH_TOKENS is not set: every request will be answered with 401');
      }
      return supervisor.start();
    },
    stop: (signal) => {
      health.markStopping();
      return supervisor.stop(signal === 'SIGINT');
    },
  };
}
