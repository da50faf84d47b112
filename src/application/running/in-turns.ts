import { piecesOf } from '../../domain/values/pieces.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { allEnded } from './all-ended.ts';

/**
 * Splits the items into pieces of this size, each in a turn of the event loop of its own: a store in memory answers
 * within the turn, and a request of many steps would keep all others waiting (platform contract, section 15, "Fair").
 */
export async function* inTurns<Item>(
  clock: Pick<ClockPort, 'turn'>,
  items: readonly Item[],
  size: number,
): AsyncGenerator<readonly Item[], undefined> {
  for (const [index, some] of piecesOf(items, size).entries()) {
    if (index > 0) await clock.turn();
    yield some;
  }
}

/** The answers to all items, in their order, with that many asked for at a time. @throws what `allEnded` throws. */
export async function answersInTurns<Item, Answer>(
  clock: Pick<ClockPort, 'turn'>,
  items: readonly Item[],
  size: number,
  answer: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for await (const some of inTurns(clock, items, size)) {
    answers.push(...(await allEnded(some.map(answer))));
  }
  return answers;
}
