import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, send } from '../../api/request.ts';
import { may } from '../../api/session.ts';
import { payloads } from '../../frame/settings.ts';
import { size } from '../../format/number.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import type { With } from '../../parts/properties.ts';
import { Button, Quiet } from '../../parts/button.tsx';

/** How much of a value is read before more is requested, in bytes. */
const FIRST = 10_000;

interface Value {
  readonly text: string;
  /** The size of the whole value, in bytes. */
  readonly whole: number;
}

/** A value of the job, which may be large: its beginning first. */
export function StoredValue({
  title,
  path,
  bytes,
}: With<'title' | 'path', { bytes?: number }>): VNode {
  const [wantsAll, setWantsAll] = useState(false);
  const [value, setValue] = useState<Value | undefined>();
  const [problem, setProblem] = useState('');
  const [isRaw, setIsRaw] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const isAllowed = may('data');
  const isHidden = payloads.value === 'hidden' && !isAsked;
  const seesData = isAllowed && !isHidden;
  useEffect(() => {
    if (!seesData) return;
    const abort = new AbortController();
    read(path, wantsAll, abort.signal).then(setValue, (error: unknown) => {
      if (error instanceof ApiError) setProblem(error.message);
    });
    return () => abort.abort();
  }, [path, wantsAll, seesData]);
  const isPart = value !== undefined && !wantsAll && value.whole > FIRST;
  const whole = bytes ?? value?.whole;
  return (
    <section class="card">
      <h2>
        {title} {whole !== undefined && <span class="muted">{size(whole)}</span>}
        {value && !isPart && (
          <>
            <CopyButton text={value.text} />
            <Quiet aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
              Raw
            </Quiet>
          </>
        )}
      </h2>
      {!isAllowed && <p class="muted">Reading it needs the right data.</p>}
      {isAllowed && isHidden && <Button onClick={() => setIsAsked(true)}>Show it</Button>}
      {problem !== '' && <p class="problem">{problem}</p>}
      {value &&
        (isPart || isRaw ? (
          <pre class="json" role="region" aria-label={title} tabIndex={0}>
            {value.text}
            {isPart && ' …'}
          </pre>
        ) : (
          <JsonView label={title} text={value.text} />
        ))}
      {isPart && <Button onClick={() => setWantsAll(true)}>Load all {size(value.whole)}</Button>}
    </section>
  );
}

async function read(path: string, isWhole: boolean, abort: AbortSignal): Promise<Value> {
  const range = isWhole ? {} : { Range: `bytes=0-${FIRST - 1}` };
  const response = await send({ method: 'GET', path }, range, abort);
  const bytes = await response.arrayBuffer();
  const [, whole] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  return {
    text: new TextDecoder().decode(bytes),
    whole: whole === undefined ? bytes.byteLength : Number(whole),
  };
}
