import { effect, signal } from '@preact/signals';

/** Whether pages follow what happens by themselves. */
export const isLive = signal(true);

/** To how many jobs something has happened while pages did not follow it. */
export const missed = signal(0);

effect(() => {
  if (isLive.value) missed.value = 0;
});
