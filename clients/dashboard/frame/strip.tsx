import type { VNode } from 'preact';
import { outage } from '../api/request.ts';
import { system } from '../api/system.ts';
import { clockTime } from '../format/time.tsx';
import { useHeartbeat } from './heartbeat.ts';

/** Outages and warnings, shown on every page. */
export function Strip(): VNode {
  useHeartbeat();
  const lost = outage.value;
  return (
    <div class="strips" role="status">
      {lost !== null && (
        <p class="strip strip-bad">
          {lost.reason}, trying again. What you see is from {clockTime(lost.since)}.
        </p>
      )}
      {system.value?.warnings.map(({ code, text }) => (
        <p key={code} class="strip">
          {text}
        </p>
      ))}
    </div>
  );
}
