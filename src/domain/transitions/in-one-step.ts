/** The most of one kind that a step forgets because their time is over: the next steps forget the others. */
const MOST_IN_STEP = 1000;

/** What comes first, again and again while there is some. To be removed each time. */
export function* inOneStep<Item>(
  first: () => Item | undefined,
  most = MOST_IN_STEP,
): Generator<Item> {
  for (let taken = 0; taken < most; taken += 1) {
    const item = first();
    if (item === undefined) return;
    yield item;
  }
}
