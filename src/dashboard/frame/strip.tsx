import type { VNode } from 'preact';
import { outage } from '../api/request.ts';
import { useSystem } from '../api/system.ts';
import { clockTime } from '../format/time.tsx';

/** Outages and warnings, shown on every page. */
export function Strip(): VNode {
  const system = useSystem();
  const lost = outage.value;
  return (
    <div class="strips" role="status">
      {lost !== null && (
        <p class="strip strip-bad">
          {lost.reason}, trying again. What you see is from {clockTime(lost.since)}.
        </p>
      )}
      {system?.warnings.map(({ code, text }) => (
        <p key={code} class="strip">
          {text}
        </p>
      ))}
    </div>
  );
}
