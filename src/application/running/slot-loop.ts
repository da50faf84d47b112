/** Most slots that are filled at the same time. */
const MOST_AT_ONCE = 16;

/** Slots for work of one kind. A `Lack` says why there was no work for a slot. */
export interface Slots<Lack> {
  /** Whether no more slots are to be filled. */
  readonly isClosed: boolean;

  /** Aborts when a lack of work or of slots is to be looked at again. */
  readonly changed: AbortSignal;

  /** Takes a slot, if one is free beside `taken` others that are not filled yet. */
  take(taken: number): boolean;

  /** Resolves when there may be a slot to take, or when the signal aborts. */
  freed(changed: AbortSignal): Promise<void>;

  /** Fills a slot that was taken, or frees it again when there is no work. */
  fill(): Promise<Lack | undefined>;

  /** Resolves when there may be work again, or when the signal aborts. */
  wait(lack: Lack, changed: AbortSignal): Promise<void>;

  /** Handles an error of {@link fill}. Resolves when a slot may be filled again, or when the signal aborts. */
  failed(error: unknown, changed: AbortSignal): Promise<void>;
}

/**
 * Fills slots until they are closed: twice as many at once as before, as long as there is work for all of them. A
 * backlog is soon everywhere, and a queue with little work costs one try at a time.
 */
export async function fillSlots<Lack>(slots: Slots<Lack>): Promise<void> {
  let atOnce = 1;
  while (!slots.isClosed) {
    const { changed } = slots;
    const taken = take(slots, atOnce);
    if (taken === 0) await slots.freed(changed);
    else if (await fill(slots, taken, changed)) atOnce = Math.min(2 * taken, MOST_AT_ONCE);
    else atOnce = 1;
  }
}

function take<Lack>(slots: Slots<Lack>, most: number): number {
  let taken = 0;
  while (taken < most && slots.take(taken)) taken += 1;
  return taken;
}

/** @returns whether there was work for all of the slots. If not, it has waited for some. */
async function fill<Lack>(
  slots: Slots<Lack>,
  taken: number,
  changed: AbortSignal,
): Promise<boolean> {
  const results = await Promise.allSettled(Array.from({ length: taken }, () => slots.fill()));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    await slots.failed(result.reason, changed);
    return false;
  }
  for (const result of results) {
    if (result.status !== 'fulfilled' || result.value === undefined) continue;
    await slots.wait(result.value, changed);
    return false;
  }
  return true;
}
