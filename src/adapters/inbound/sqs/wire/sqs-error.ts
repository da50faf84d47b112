interface ErrorTerms {
  readonly status: number;
  /** The code in the query protocol, where it is another than the name. */
  readonly code?: string;
  /** Whether the code is the name behind the prefix of the service. */
  readonly isOfService?: boolean;
}

/**
 * The errors with their statuses and the codes that they had in the query protocol. SDKs of several languages tell errors
 * apart by the latter (`x-amzn-query-error`).
 */
const SQS_ERRORS = {
  AccessDeniedException: { status: 403 },
  BatchEntryIdsNotDistinct: { status: 400, isOfService: true },
  BatchRequestTooLong: { status: 400, isOfService: true },
  EmptyBatchRequest: { status: 400, isOfService: true },
  InternalFailure: { status: 500 },
  InvalidAddress: { status: 404 },
  InvalidAttributeName: { status: 400 },
  InvalidAttributeValue: { status: 400 },
  InvalidBatchEntryId: { status: 400, isOfService: true },
  InvalidClientTokenId: { status: 403 },
  InvalidMessageContents: { status: 400 },
  InvalidParameterValue: { status: 400 },
  MessageNotInflight: { status: 400, isOfService: true },
  MissingParameter: { status: 400 },
  OverLimit: { status: 403 },
  QueueDoesNotExist: { status: 400, code: 'AWS.SimpleQueueService.NonExistentQueue' },
  QueueNameExists: { status: 400, code: 'QueueAlreadyExists' },
  ReceiptHandleIsInvalid: { status: 404 },
  RequestThrottled: { status: 403 },
  RequestTimeoutException: { status: 408 },
  ResourceNotFoundException: { status: 404 },
  SerializationException: { status: 400 },
  ServiceUnavailable: { status: 503 },
  TooManyEntriesInBatchRequest: { status: 400, isOfService: true },
  UnknownOperationException: { status: 404 },
  UnsupportedOperation: { status: 400, isOfService: true },
} as const satisfies Readonly<Record<string, ErrorTerms>>;

/** The names of the errors of SQS in its service model, and of those that all services have. */
export type SqsErrorName = keyof typeof SQS_ERRORS;

/** A failure as a client of SQS reads it. The message is written for the client. */
export class SqsError extends Error {
  override readonly name = 'SqsError';

  /**
   * @param retryAfter how long (ms) the client should wait before it tries again, if that is known.
   * @param mayBeStored whether the change is stored as a whole or not at all; otherwise nothing of it is.
   */
  constructor(
    readonly error: SqsErrorName,
    message: string,
    readonly retryAfter?: number,
    readonly mayBeStored = false,
  ) {
    super(message);
  }

  get status(): number {
    return this.#terms.status;
  }

  /** The code of the query protocol, which entries of batches have too. */
  get code(): string {
    const { code, isOfService = false } = this.#terms;
    return code ?? `${isOfService ? 'AWS.SimpleQueueService.' : ''}${this.error}`;
  }

  /** Whether the client is at fault, so that a repetition is of no use. */
  get isOfSender(): boolean {
    return this.status < 500;
  }

  get #terms(): ErrorTerms {
    return SQS_ERRORS[this.error];
  }
}

export function missingParameter(name: string): SqsError {
  return new SqsError('MissingParameter', `The request must contain the parameter ${name}.`);
}

export function invalidParameter(message: string): SqsError {
  return new SqsError('InvalidParameterValue', message);
}

/** The error of a value out of its bounds. */
export function invalidValue(name: string, value: unknown, reason: string): SqsError {
  return invalidParameter(
    `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}

export function queueDoesNotExist(): SqsError {
  return new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
}
