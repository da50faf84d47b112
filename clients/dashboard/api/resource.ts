import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { paceTime } from '../frame/settings.ts';
import { isLive } from './following.ts';
import { ApiError, call, isPassing, outage, serviceTime } from './request.ts';

/** Data that is read through the API, and read again. */
export interface Resource<T> {
  /** The latest answer. It stays while the next one is fetched, or if fetching it fails. */
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** When the latest answer came, epoch ms. */
  readonly at: number | undefined;
  /** Whether the current request has not been answered yet. */
  readonly isBusy: boolean;
  /** Reads again, at most as often as the settings allow. */
  readonly refresh: () => void;
  /** Reads again at once, after something was changed. */
  readonly reread: () => void;
}

/** How long to wait for the next read after a failure, in milliseconds. */
const PAUSE = 2000;

interface State<T> {
  readonly path: string | null;
  readonly data?: T;
  readonly error?: ApiError;
  readonly at?: number;
}

/**
 * @param path null for nothing to read.
 * @param every how often to read even if nothing happens, in ms.
 */
export function useResource<T>(path: string | null, every?: number): Resource<T> {
  const [state, setState] = useState<State<T>>({ path: null });
  const [version, setVersion] = useState(0);
  const timer = useRef<number | undefined>(undefined);
  const lastRead = useRef(0);

  const readIn = (wait: number): void => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        setVersion((before) => before + 1);
      },
      Math.max(0, wait),
    );
  };

  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    lastRead.current = performance.now();
    call<T>({ method: 'GET', path }, abort.signal).then(
      (data) => setState({ path, data, at: serviceTime() }),
      (error: unknown) => {
        if (abort.signal.aborted || !(error instanceof ApiError)) return;
        setState((before) => ({ ...before, path, error }));
        if (isPassing(error)) readIn(error.retryAfter ?? PAUSE);
      },
    );
    return () => abort.abort();
  }, [path, version]);

  const refresh = useCallback(() => {
    const pause = outage.value === null ? paceTime() : PAUSE;
    readIn(pause - (performance.now() - lastRead.current));
  }, []);

  const isRefused = state.error?.status === 403;
  const reread = useCallback(() => setVersion((before) => before + 1), []);

  useEffect(() => {
    const again = (): void => {
      if (!document.hidden && (isLive.value || outage.value !== null)) refresh();
    };
    // Each refusal is an entry in the audit, and the next answer would be the same.
    if (isRefused) return;
    const interval = outage.value !== null ? PAUSE : every;
    const repeat = interval === undefined ? undefined : setInterval(again, interval);
    return () => clearInterval(repeat);
  }, [every, outage.value !== null, isRefused, refresh]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const { data, error, at } = state;
  return { data, error, at, isBusy: state.path !== path, refresh, reread };
}
