import { effect, signal } from '@preact/signals';

/** Whether pages update by themselves. */
export const isLive = signal(true);

/** For how many jobs there were events while pages did not update. */
export const missed = signal(0);

effect(() => {
  if (isLive.value) missed.value = 0;
});
