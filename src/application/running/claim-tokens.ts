import type { TokenPort } from '../ports/token-port.ts';

/**
 * Draws a token for each claim. A claim that got no answer may have been given a job, which only its token can find, so
 * the next claim reuses that token.
 */
export class ClaimTokens {
  readonly #tokens: TokenPort;
  readonly #most: number;
  readonly #unanswered: string[] = [];
  #running = 0;

  /** @param most how many unanswered tokens are remembered. */
  constructor(tokens: TokenPort, most = Infinity) {
    this.#tokens = tokens;
    this.#most = most;
  }

  /** Whether a claim is waiting to be repeated. */
  get hasUnanswered(): boolean {
    return this.#unanswered.length > 0;
  }

  /** Whether no claim is running or waiting to be repeated. */
  get isIdle(): boolean {
    return this.#running === 0 && !this.hasUnanswered;
  }

  /** Draws a token that no claim has used before. */
  draw(): string {
    return this.#tokens.draw();
  }

  /**
   * Makes a claim.
   *
   * @param claim `isRepeated` is true when a claim with this token got no answer.
   * @throws what the claim throws; its token is then reused.
   */
  async use<Answer>(
    claim: (token: string, isRepeated: boolean) => Promise<Answer>,
  ): Promise<Answer> {
    const unanswered = this.#unanswered.pop();
    const token = unanswered ?? this.draw();
    this.#running += 1;
    try {
      return await claim(token, unanswered !== undefined);
    } catch (error) {
      this.useAgain(token);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  /** Makes one of the next claims reuse this token, since a claim with it got no answer. */
  useAgain(token: string): void {
    if (this.#unanswered.length < this.#most) this.#unanswered.push(token);
  }
}
