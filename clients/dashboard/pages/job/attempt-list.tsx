import type { VNode } from 'preact';
import type { JobAttempts } from '../../../typescript/src/api.ts';
import { duration } from '../../format/duration.ts';
import { Time } from '../../format/time.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { attemptId, inOrder, namesInLine } from './attempt-order.ts';

/** The attempts on record, the latest first, each with what the endpoint answered. */
export function attemptList({ count, attempts }: JobAttempts, isRunning: boolean): VNode {
  if (attempts.length === 0) {
    if (isRunning) return <p class="muted">The first attempt is running.</p>;
    return (
      <p class="muted">
        {count === 0 ? 'No attempt was made yet.' : 'None of its attempts is on record.'}
      </p>
    );
  }
  const latestFirst = inOrder(attempts)
    .map((attempt, place) => ({ ...attempt, elementId: attemptId(place) }))
    .reverse();
  return (
    <ol class="attempts">
      {latestFirst.map(({ number, outcome, status, reason, response, traceId, ...attempt }) => (
        <li key={attempt.elementId} id={attempt.elementId}>
          <p class="attempt">
            <strong>{number}</strong>
            <StateLabel state={outcome} />
            <span class="number">{status ?? 'no answer'}</span>
            <span class="number">{duration(attempt.durationMs)}</span>
            <Time at={attempt.startedAt} />
            {attempt.cost !== 1 && <span class="number">cost {attempt.cost}</span>}
            {attempt.replica !== null && <span class="muted">{attempt.replica}</span>}
          </p>
          {reason !== null && <p class="text">{reason}</p>}
          {attempt.saved !== undefined && attempt.saved.length > 0 && (
            <p class="muted text">saved {namesInLine(attempt.saved)}</p>
          )}
          {traceId !== null && (
            <p class="muted">
              trace <code>{traceId}</code>
            </p>
          )}
          {typeof response === 'string' && response !== '' && (
            <details>
              <summary>Answer</summary>
              <pre tabIndex={0}>{response}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
