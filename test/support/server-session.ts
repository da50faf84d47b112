/** A server that the test run may use. Tests share it, so each keeps to keys or a schema of its own. */
export interface FoundServer {
  readonly uri: string;
  /** Where it comes from, for the line that says which server a run uses. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** The one server of its kind of a test run: found when first asked for, shared by all, ended once. */
export class ServerSession<Server extends FoundServer> {
  readonly #variable: string;
  readonly #find: () => Promise<Server>;
  #needed = false;
  #serversNeeded = false;
  #server: Promise<Server> | undefined;

  /** @param variable that of its address: processes that this one starts share the server by it. */
  constructor(variable: string, find: () => Promise<Server>) {
    this.#variable = variable;
    this.#find = find;
  }

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

  server(): Promise<Server> {
    this.#server ??= this.#found();
    return this.#server;
  }

  /** Whether the shared server is the one at the address. */
  isAt(uri: string): boolean {
    return uri === process.env[this.#variable];
  }

  async end(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    this.#server = undefined;
    await server?.stop();
  }

  async #found(): Promise<Server> {
    const server = await this.#find();
    process.env[this.#variable] = server.uri;
    return server;
  }
}
