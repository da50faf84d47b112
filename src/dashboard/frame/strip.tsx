import type { VNode } from 'preact';
import type { System } from '../api/answers.ts';
import { outage } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { may } from '../api/session.ts';
import { clockTime } from '../format/time.tsx';

/** How often the warnings are read, in milliseconds. */
const EVERY = 15_000;

/** What everybody should know, whatever page they are on. */
export function Strip(): VNode {
  const { data } = useResource<System>(may('read') ? 'system' : null, EVERY);
  const lost = outage.value;
  return (
    <div class="strips" role="status">
      {lost !== null && (
        <p class="strip strip-bad">
          {lost.reason}, trying again. What you see is from {clockTime(lost.since)}.
        </p>
      )}
      {data?.warnings.map(({ code, text }) => (
        <p key={code} class="strip">
          {text}
        </p>
      ))}
    </div>
  );
}
