import { randomBytes } from 'node:crypto';
import type { TestPostgres } from './find-postgres.ts';

/** The one server of a test run: found when first asked for, shared by all, ended once. */
class PostgresSession {
  #needed = false;
  #serversNeeded = false;
  #server: Promise<TestPostgres> | undefined;
  #schemas = 0;

  /** Says that this run will ask for the server. */
  need(): void {
    this.#needed = true;
  }

  /** Says that this run will start servers for single tests. */
  needServers(): void {
    this.#serversNeeded = true;
  }

  get isNeeded(): boolean {
    return this.#needed;
  }

  get areServersNeeded(): boolean {
    return this.#serversNeeded;
  }

  server(): Promise<TestPostgres> {
    this.#server ??= this.#find();
    return this.#server;
  }

  /** The name of a schema that nobody else uses. */
  newSchema(): string {
    this.#schemas += 1;
    return `${this.#run}${process.pid}_${this.#schemas}`;
  }

  async end(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    await server?.stop();
  }

  /** How the names of the schemas of this run begin, also of those in processes that it starts. */
  get #run(): string {
    process.env['TEST_PG_RUN'] ??= `test_${randomBytes(4).toString('hex')}_`;
    return process.env['TEST_PG_RUN'];
  }

  /** Processes that this one starts share the server, and need not look for one. */
  async #find(): Promise<TestPostgres> {
    // Loading this module alone needs no server yet.
    const { findPostgres } = await import('./find-postgres.ts');
    const server = await findPostgres(this.#run);
    process.env['TEST_PG_URI'] = server.uri;
    return server;
  }
}

export const postgresSession = new PostgresSession();
