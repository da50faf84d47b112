import type { TestStore } from './find-store.ts';

const DEFAULT_IMAGE = 'redis:7.4.6-alpine';
const STORE_PORT = 6379;

/**
 * A container of TEST_STORE_IMAGE without persistence, when a Docker engine answers and has the image
 * or gets it; else the reason is printed and the search goes on. testcontainers is loaded on demand only:
 * most runs find a store without it.
 */
export async function startRedisContainer(): Promise<TestStore | undefined> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return undefined;
  }
  const image = process.env['TEST_STORE_IMAGE'] ?? DEFAULT_IMAGE;
  try {
    const container = await new GenericContainer(image)
      .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
      .withExposedPorts(STORE_PORT)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
    const uri = `redis://${container.getHost()}:${container.getMappedPort(STORE_PORT)}`;
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
