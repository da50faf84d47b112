import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import { DomainError, type DomainErrorCode } from '../../../../domain/errors.ts';
import { HttpError, type HttpErrorCode } from '../../exchange/http-error.ts';
import { invalidParameter, queueDoesNotExist, SqsError, type SqsErrorName } from './sqs-error.ts';

/** How long (ms) a client should wait for a store, or for room in a queue. */
const PAUSE = 1000;

/** The errors of the core that are of one kind in SQS; any other one is about the value of a parameter. */
const NAMES: Partial<Readonly<Record<DomainErrorCode, SqsErrorName>>> = {
  unauthorized: 'InvalidClientTokenId',
  forbidden: 'AccessDeniedException',
  'job-not-found': 'ResourceNotFoundException',
  'job-conflict': 'UnsupportedOperation',
  'memory-full': 'OverLimit',
  'message-not-in-flight': 'MessageNotInflight',
};

/** The same for errors of a transfer. */
const TRANSFER_NAMES: Partial<Readonly<Record<HttpErrorCode, SqsErrorName>>> = {
  'request-timeout': 'RequestTimeoutException',
  overloaded: 'ServiceUnavailable',
};

/** The error of the core, or of a transfer, as SQS has it; undefined for a defect, whose message must not leave the process. */
export function domainFailure(error: unknown): SqsError | undefined {
  if (error instanceof SqsError) return error;
  if (error instanceof LimitReachedError) {
    return new SqsError('RequestThrottled', error.message, error.endsIn);
  }
  if (error instanceof HttpError) {
    const { code, message } = error;
    const pause = code === 'overloaded' ? PAUSE : undefined;
    return new SqsError(TRANSFER_NAMES[code] ?? 'InvalidParameterValue', `${message}.`, pause);
  }
  if (!(error instanceof DomainError)) return undefined;
  const { code, message } = error;
  switch (code) {
    case 'queue-not-found':
      return queueDoesNotExist();
    case 'queue-full':
      return new SqsError('RequestThrottled', message, PAUSE);
    case 'store-unavailable':
    case 'store-full':
    case 'issuer-unavailable':
      return new SqsError('ServiceUnavailable', message, PAUSE, error.mayBeStored);
    case 'receipt-expired':
      return invalidParameter(
        'Value for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.',
      );
    default:
      return new SqsError(NAMES[code] ?? 'InvalidParameterValue', message);
  }
}
