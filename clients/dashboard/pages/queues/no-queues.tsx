import type { VNode } from 'preact';
import { asCurl } from '../../api/curl.ts';
import type { ApiRequest } from '../../api/request.ts';
import { system } from '../../api/system.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Commands } from '../../parts/commands.tsx';

const FIRST_JOB: ApiRequest = {
  method: 'POST',
  path: 'queues/thumbnails/jobs',
  body: [{ name: 'scale', data: { file: 'dog.png', width: 320 } }],
};

export const FIRST_WORKER = asCurl({
  method: 'POST',
  path: 'workers',
  body: {
    queue: 'thumbnails',
    endpoint: { url: 'http://localhost:3000/', method: 'post' },
    opts: { concurrency: 4 },
  },
});

/** How to create the first queue. */
export function NoQueues({ refresh }: { readonly refresh: () => void }): VNode {
  const kind = system.value?.store.kind;
  const isForTrying = kind === 'memory' || kind === 'embedded';
  return (
    <>
      <Commands title="There are no queues yet" commands={[FIRST_WORKER, asCurl(FIRST_JOB)]}>
        Register the endpoint that does the work, and add a job. The queue is made by either.
      </Commands>
      {isForTrying && (
        <div class="buttons">
          <ActionButton
            action={{
              label: 'Add a demo job',
              right: 'add',
              request: FIRST_JOB,
              done: 'The first job is added to thumbnails',
              after: refresh,
            }}
          />
        </div>
      )}
    </>
  );
}
