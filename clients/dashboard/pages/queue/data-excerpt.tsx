import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { apiPath, send } from '../../api/request.ts';
import type { With } from '../../parts/properties.ts';

/** How much of a job's data a row shows, in bytes. */
const EXCERPT = 200;

/** The beginning of a job's data. It is read once for each row. */
export function DataExcerpt({ queue, job: { id, dataSize } }: With<'queue' | 'job'>): VNode {
  const [text, setText] = useState('');
  useEffect(() => {
    const abort = new AbortController();
    const request = { method: 'GET', path: apiPath('queues', queue, 'jobs', id, 'data') } as const;
    send(request, { Range: `bytes=0-${EXCERPT - 1}` }, abort.signal).then(
      async (response) => setText(await response.text()),
      // The list itself reports what is wrong with the service, and the job may no longer exist.
      () => undefined,
    );
    return () => abort.abort();
  }, [queue, id]);
  return (
    <code class="text excerpt">
      {text}
      {dataSize > EXCERPT && text !== '' && '…'}
    </code>
  );
}
