import type { Session } from '../driver/database.ts';

/** A session whose uses are noted. */
export class NotedSession implements Session {
  readonly #session: Session;
  #isUsed = false;

  constructor(session: Session) {
    this.#session = session;
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  query: Session['query'] = (text, values) => {
    this.#isUsed = true;
    return this.#session.query(text, values);
  };

  script: Session['script'] = (text) => {
    this.#isUsed = true;
    return this.#session.script(text);
  };
}
