import { SQSServiceException } from '@aws-sdk/client-sqs';

/** What an SDK makes of a refused request. */
export interface Refusal {
  readonly name: string;
  /** The code of the query protocol. */
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly message: string;
}

/** The refusal of a request. @throws Error when it succeeds. */
export async function refusal(request: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SQSServiceException)) throw new Error('No refusal', { cause: error });
  const { name, message, $metadata } = error;
  const code = (error as { readonly Error?: { readonly Code?: string } }).Error?.Code;
  return { name, code, status: $metadata.httpStatusCode, message };
}
