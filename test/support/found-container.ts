import type { GenericContainer } from 'testcontainers';
import type { FoundServer } from './server-session.ts';

/** A container of a server for the tests. */
export interface ContainerOfServer {
  readonly image: string;
  readonly port: number;
  /** Printed each time the server accepts connections. */
  readonly ready: RegExp;
  /** How often it does before it is ready: an image may start the server once to set it up. */
  readonly starts?: number;
  readonly configured: (container: GenericContainer) => GenericContainer;
  /** @param address host and port. */
  readonly uriAt: (address: string) => string;
}

/**
 * A container, when a Docker engine answers and has the image or gets it; else the reason is printed and the search goes
 * on. testcontainers is loaded on demand only: most runs find a server without it.
 */
export async function foundContainer({
  image,
  port,
  ready,
  starts = 1,
  configured,
  uriAt,
}: ContainerOfServer): Promise<FoundServer | undefined> {
  const testcontainers = await import('testcontainers');
  try {
    await testcontainers.getContainerRuntimeClient();
  } catch {
    return undefined;
  }
  try {
    const container = await configured(new testcontainers.GenericContainer(image))
      .withExposedPorts(port)
      .withWaitStrategy(testcontainers.Wait.forLogMessage(ready, starts))
      .start();
    const uri = uriAt(`${container.getHost()}:${container.getMappedPort(port)}`);
    return {
      uri,
      origin: `container of ${image} at ${uri}`,
      stop: async () => {
        await container.stop();
      },
    };
  } catch (error) {
    console.log(`Docker answers but could not start ${image}: ${String(error)}`);
    return undefined;
  }
}
