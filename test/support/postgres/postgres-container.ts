import type { TestPostgres } from './find-postgres.ts';

const DEFAULT_IMAGE = 'postgres:17.6-alpine';
const PORT = 5432;

/**
 * A container of TEST_PG_IMAGE, when a Docker engine answers and has the image or gets it; else the reason is printed
 * and the search goes on. testcontainers is loaded on demand only: most runs find a server without it.
 */
export async function startPostgresContainer(): Promise<TestPostgres | undefined> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return undefined;
  }
  const image = process.env['TEST_PG_IMAGE'] ?? DEFAULT_IMAGE;
  try {
    const container = await new GenericContainer(image)
      .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: 'trust' })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
      .withExposedPorts(PORT)
      // The image starts the server once to set it up, and once more to serve.
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start();
    const uri = `postgres://postgres@${container.getHost()}:${container.getMappedPort(PORT)}/postgres`;
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
