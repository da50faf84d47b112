import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Scheduler } from '../../../typescript/src/api.ts';
import { ApiError, apiPath, call, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { dateAndTime } from '../../format/time.tsx';
import { EditJson } from '../../parts/edit-json.tsx';
import type { With } from '../../parts/properties.ts';

/** How long after the last keystroke the next slots are requested, in milliseconds. */
const TYPING = 400;

/** Changes a scheduler, and shows when it would run next while its pattern is typed. */
export function EditScheduler({
  queue,
  id,
  close,
  saved,
}: With<'queue' | 'id' | 'close' | 'saved'>): VNode | null {
  const path = apiPath('queues', queue, 'schedulers', id);
  const { data } = useResource<Scheduler>(path);
  if (data === undefined) return null;
  const { repeat, job, overlap, paused } = data;
  return (
    <EditJson
      title={`Edit ${id} of ${queue}`}
      value={{ repeat, job, overlap, paused }}
      request={(body) => ({ method: 'PUT', path, body })}
      done={`${id} is stored`}
      close={close}
      saved={saved}
      preview={(value) => <NextSlots path={path} value={value} />}
    />
  );
}

/** Shows the next five slots that the service computes, or the reason why it refuses the scheduler. */
function NextSlots({ path, value }: With<'path', { value: object | null }>): VNode {
  const [preview, setPreview] = useState<Scheduler | string | undefined>();
  const text = JSON.stringify(value);
  useEffect(() => {
    if (value === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const request = {
        method: 'PUT',
        path: withQuery(path, { dryRun: 'true' }),
        body: value,
      } as const;
      call<Scheduler>(request, abort.signal).then(setPreview, (error: unknown) => {
        if (error instanceof ApiError) setPreview(error.message);
      });
    }, TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [path, text]);
  if (preview === undefined) return <p class="muted">The next slots …</p>;
  if (typeof preview === 'string') return <p class="problem">{preview}</p>;
  const { next: slots, repeat } = preview;
  const zone = repeat.tz;
  return (
    <figure class="snippet">
      <figcaption>{slots.length === 0 ? 'It does not run' : 'It runs next'}</figcaption>
      <ol class="log lines">
        {slots.map((at) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{dateAndTime(at)}</time>
            {zone !== undefined && (
              <span class="muted">
                {' · '}
                {new Date(at).toLocaleTimeString('en-GB', { timeZone: zone })} {zone}
              </span>
            )}
          </li>
        ))}
      </ol>
    </figure>
  );
}
