/** The name of jobs that were sent as messages. */
export const MESSAGE_NAME = 'sqs';

/** The option of a job that says how it was sent as a message; no client can set it. */
export interface MessageMark {
  readonly message: { readonly sender: string; readonly deduplicationId?: string };
}
