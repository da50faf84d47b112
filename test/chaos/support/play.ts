import { Client, type OptionsOf } from './client.ts';
import { LedgerEndpoint, type Work } from './ledger-endpoint.ts';
import { Ledger } from './ledger.ts';

let plays = 0;

/** One queue with its endpoint, its client and the books of both. */
export class Play {
  readonly queue: string;
  readonly ledger: Ledger;
  readonly endpoint: LedgerEndpoint;
  readonly client: Client;

  private constructor(
    queue: string,
    ledger: Ledger,
    endpoint: LedgerEndpoint,
    optionsOf: OptionsOf | undefined,
  ) {
    this.queue = queue;
    this.ledger = ledger;
    this.endpoint = endpoint;
    this.client = new Client(queue, ledger, optionsOf);
  }

  /**
   * @param work what the endpoint does before it answers.
   * @param ledger the books of several queues, whose jobs then have different numbers.
   */
  static async begin(
    work: Work,
    ledger: Ledger = new Ledger(),
    optionsOf?: OptionsOf,
  ): Promise<Play> {
    plays += 1;
    const endpoint = await LedgerEndpoint.start(ledger, work);
    return new Play(`play-${plays}`, ledger, endpoint, optionsOf);
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.endpoint.close();
  }
}
