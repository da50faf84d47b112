import { Client } from './client.ts';
import { LedgerEndpoint, type Work } from './ledger-endpoint.ts';
import { Ledger } from './ledger.ts';

let plays = 0;

/** One queue with its endpoint, its client and the books of both. */
export class Play {
  readonly queue: string;
  readonly ledger: Ledger;
  readonly endpoint: LedgerEndpoint;
  readonly client: Client;

  private constructor(queue: string, ledger: Ledger, endpoint: LedgerEndpoint) {
    this.queue = queue;
    this.ledger = ledger;
    this.endpoint = endpoint;
    this.client = new Client(queue, ledger);
  }

  /** @param work what the endpoint does before it answers. */
  static async begin(work: Work): Promise<Play> {
    plays += 1;
    const ledger = new Ledger();
    return new Play(`play-${plays}`, ledger, await LedgerEndpoint.start(ledger, work));
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.endpoint.close();
  }
}
