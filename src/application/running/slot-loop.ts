/** How many slots are filled at the same time. */
const MOST_AT_ONCE = 16;

/** Slots for one kind of work. A `Lack` explains why there was no work for a slot. */
export interface Slots<Lack> {
  /** Whether no more slots are to be filled. */
  readonly isClosed: boolean;

  /** Aborts when a lack of work or of slots must be reconsidered. */
  readonly changed: AbortSignal;

  /** Takes a slot, if one is free in addition to `taken` others that are not filled yet. */
  take(taken: number): boolean;

  /** Resolves when there may be a slot to take, or when the signal aborts. */
  freed(changed: AbortSignal): Promise<void>;

  /** Fills a slot that was taken, or frees it when there is no work. */
  fill(): Promise<Lack | undefined>;

  /** Resolves when there may be work again, or when the signal aborts. */
  wait(lack: Lack, changed: AbortSignal): Promise<void>;

  /** Resolves when the work for filled slots is under way. It goes first: the next work can wait for a moment. */
  begun(): Promise<void>;

  /** Handles an error of {@link fill}. Resolves when a slot may be filled again, or when the signal aborts. */
  failed(error: unknown, changed: AbortSignal): Promise<void>;
}

/**
 * Fills slots until they are closed, doubling the number at once as long as there is work for all of them. Thus a
 * backlog soon occupies all slots, while a queue with little work costs one attempt at a time.
 */
export async function fillSlots<Lack>(slots: Slots<Lack>): Promise<void> {
  let atOnce = 1;
  while (!slots.isClosed) {
    const { changed } = slots;
    const taken = take(slots, atOnce);
    if (taken === 0) await slots.freed(changed);
    else if (await fill(slots, taken, changed)) {
      atOnce = Math.min(2 * taken, MOST_AT_ONCE);
      await slots.begun();
    } else atOnce = 1;
  }
}

function take<Lack>(slots: Slots<Lack>, most: number): number {
  let taken = 0;
  while (taken < most && slots.take(taken)) taken += 1;
  return taken;
}

/** @returns whether there was work for all of the slots. If not, it has waited until there may be some. */
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
