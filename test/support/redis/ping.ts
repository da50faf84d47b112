import { Redis } from 'ioredis';

/** Resolves when the store at the address answers PING; rejects when it does not within 3 s. */
export async function ping(uri: string): Promise<void> {
  const redis = new Redis(uri, {
    lazyConnect: true,
    connectTimeout: 3000,
    commandTimeout: 3000,
    retryStrategy: () => null,
  });
  // The rejection below carries the same error; without a listener ioredis prints it as unhandled.
  let connectionError: Error | undefined;
  redis.on('error', (error: Error) => {
    connectionError = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw connectionError ?? error;
  } finally {
    redis.disconnect();
  }
}
