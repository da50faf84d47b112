import { useState } from 'preact/hooks';
import { call, messageOf, type ApiRequest } from './request.ts';

interface Shown<Answer> {
  readonly answer: Answer | undefined;
  /** The reason for no answer; empty without one. */
  readonly problem: string;
  readonly isBusy: boolean;
}

const NOTHING = { answer: undefined, problem: '', isBusy: false };

/** The latest answer to a request that a person sends to see it. @param request undefined while it is no request. */
export function useAnswer<Answer>(
  request: ApiRequest | undefined,
): Shown<Answer> & { readonly ask: () => Promise<void> } {
  const [shown, setShown] = useState<Shown<Answer>>(NOTHING);
  const ask = async (): Promise<void> => {
    if (request === undefined) {
      setShown({ ...NOTHING, problem: 'The data must be JSON' });
      return;
    }
    setShown(({ answer }) => ({ ...NOTHING, answer, isBusy: true }));
    try {
      setShown({ ...NOTHING, answer: await call<Answer>(request) });
    } catch (error) {
      setShown({ ...NOTHING, problem: messageOf(error) });
    }
  };
  return { ...shown, ask };
}
