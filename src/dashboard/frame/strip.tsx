import type { VNode } from 'preact';
import { outage } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { useSystem } from '../api/system.ts';
import { clockTime } from '../format/time.tsx';

/** How often the page makes sure that the service does its work, in milliseconds. */
const HEARTBEAT = 2000;

/** Outages and warnings, shown on every page. */
export function Strip(): VNode {
  const system = useSystem();
  // Streams of events stay open while the store is away, and say nothing.
  useResource('health/ready', HEARTBEAT);
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
