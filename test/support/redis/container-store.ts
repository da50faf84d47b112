import type { Say, TestStore } from './find-store.ts';

const DEFAULT_IMAGE = 'redis:7-alpine';

export interface ContainerStoreSeams {
  readonly env: NodeJS.ProcessEnv;
  readonly engineAnswers: () => Promise<boolean>;
  readonly startContainer: (image: string) => Promise<{ uri: string; stop(): Promise<void> }>;
  readonly say: Say;
}

/**
 * A container of TEST_STORE_IMAGE, when a Docker engine answers. An engine that cannot get or start
 * the image (no network, say) is no store: the reason is told and the search goes on.
 */
export async function containerStore({
  env,
  engineAnswers,
  startContainer,
  say,
}: ContainerStoreSeams): Promise<TestStore | undefined> {
  if (!(await engineAnswers())) return undefined;
  const image = env['TEST_STORE_IMAGE'] ?? DEFAULT_IMAGE;
  try {
    const container = await startContainer(image);
    return {
      uri: container.uri,
      origin: `container of ${image} at ${container.uri}`,
      stop: () => container.stop(),
    };
  } catch (error) {
    say(`Docker answers but could not start ${image}: ${String(error)}`);
    return undefined;
  }
}
