const STORE_PORT = 6379;

/** testcontainers is loaded on demand only: most runs find a store without it. */
export async function dockerEngineAnswers(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** A container without persistence, on a port of the engine's choice. */
export async function startRedisContainer(
  image: string,
): Promise<{ uri: string; stop(): Promise<void> }> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(image)
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
    .withExposedPorts(STORE_PORT)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  return {
    uri: `redis://${container.getHost()}:${container.getMappedPort(STORE_PORT)}`,
    stop: async () => {
      await container.stop();
    },
  };
}
