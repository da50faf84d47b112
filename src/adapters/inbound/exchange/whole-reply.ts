export type ReplyHeaders = Readonly<Record<string, string>>;

export interface ReplyHead {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: ReplyHeaders;
}

/** A whole answer, ready to be sent. */
export interface WholeReply extends ReplyHead {
  readonly body: string | Buffer;
  /** Called if the answer could not be sent whole because the client had left. */
  readonly undelivered?: () => void;
}
