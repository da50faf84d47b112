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
 * Plays a script on several stores side by side.
 *
 * @param stores by their names: each of them has to do what the first one does.
 * @throws Error with the steps up to the first one after which they differ, and where.
 */
export async function play(
  script: Script,
  stores: Readonly<Record<string, QueueHarness>>,
): Promise<void> {
  const players = new Map<string, Player>();
  for (const [name, harness] of Object.entries(stores)) players.set(name, await Player.on(harness));
  for (const [index, step] of script.entries()) {
    let first: readonly [name: string, seen: unknown] | undefined;
    for (const [name, player] of players) {
      const seen = await player.play(step);
      first ??= [name, seen];
      const found = difference(first[1], seen);
      if (found === undefined) continue;
      const steps = script
        .slice(0, index + 1)
        .map((each) => `${each.do} ${JSON.stringify(each.with)}`);
      const where = `${first[0]} and ${name} differ at ${found}`;
      throw new Error(`${where}\nafter:\n${steps.join('\n')}`);
    }
  }
}
