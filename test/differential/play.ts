import { difference } from './difference.ts';
import { plain } from './plain.ts';
import { playStep, type Script, type Step } from './script.ts';
import { Sight } from './sight.ts';
import { Stage } from './stage.ts';
import type { QueueHarness } from '../contracts/queue-harness.ts';

/** One store in a play. */
class Player {
  readonly #stage: Stage;
  readonly #sight: Sight;
  readonly #began: number;

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#sight = new Sight(stage);
    this.#began = stage.harness.now();
  }

  static async on(harness: QueueHarness): Promise<Player> {
    return new Player(await Stage.open(harness));
  }

  /** @returns the answer to the step, and what can be seen after it. */
  async play(step: Step): Promise<unknown> {
    const answer = await playStep(this.#stage, step);
    const seen = await this.#sight.look();
    // What happens one after the other never happens at the same time.
    await this.#stage.harness.advance(1);
    return plain({ answer, ...seen }, this.#began);
  }
}

/**
 * Plays a script on two stores side by side.
 *
 * @throws Error with the steps up to the first one after which they differ, and where.
 */
export async function play(script: Script, one: QueueHarness, other: QueueHarness): Promise<void> {
  const players = [await Player.on(one), await Player.on(other)] as const;
  for (const [index, step] of script.entries()) {
    const [first, second] = [await players[0].play(step), await players[1].play(step)];
    const found = difference(first, second);
    if (found === undefined) continue;
    const steps = script
      .slice(0, index + 1)
      .map((each) => `${each.do} ${JSON.stringify(each.with)}`);
    throw new Error(`They differ at ${found}\nafter:\n${steps.join('\n')}`);
  }
}
