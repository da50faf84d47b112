import { storeUnavailable } from '../../../../domain/errors.ts';

/** Answers of a server that is there but cannot do its work now. All of them pass by themselves. */
const SERVER_CANNOT_WORK =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|OOM|MISCONF|BUSY|UNKILLABLE|NOREPLICAS|JOBGATE_LATE|NOAUTH|WRONGPASS|NOPERM|EXECABORT)\b/;

/**
 * Runs commands and turns every way in which the store can be away into the one domain error for it.
 *
 * @throws DomainError `store-unavailable`; any other error is a defect and passes as it is.
 */
export async function withStoreErrors<T>(commands: () => Promise<T>): Promise<T> {
  try {
    return await commands();
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError' && !cannotWork(error)) throw error;
    if (isProgrammingError(error)) throw error;
    throw storeUnavailable(error);
  }
}

function cannotWork(error: Error): boolean {
  return SERVER_CANNOT_WORK.test(error.message) || /\bOOM\b/.test(error.message);
}

function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
