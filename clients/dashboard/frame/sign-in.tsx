import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, ROOT, withQuery } from '../api/request.ts';
import { signIn } from '../api/session.ts';
import { Form } from '../parts/dialog.tsx';

/** Whether people can sign in at an issuer. */
const canSignIn = 'signIn' in document.documentElement.dataset;

/** From there the person comes back to this page. */
function goToIssuer(): void {
  const to = location.pathname + location.search;
  location.assign(new URL(withQuery('sign-in', { to }), ROOT));
}

/** Asks for a token, and returns to the page that was requested. */
export function SignIn(): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · jobgate';
    field.current?.focus();
  }, []);
  const submit = async (): Promise<void> => {
    const token = field.current?.value.trim() ?? '';
    if (token === '') return;
    setIsBusy(true);
    try {
      await signIn(token);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The token cannot be sent');
      setIsBusy(false);
    }
    // The document must not keep it.
    if (field.current) field.current.value = '';
  };
  return (
    <>
      <header class="bar">
        <span class="mark">jobgate</span>
      </header>
      <main class="sign-in">
        <Form submit={() => void submit()}>
          <h1>Sign in to jobgate</h1>
          {canSignIn && (
            <button type="button" class="primary" onClick={goToIssuer}>
              Sign in with your account
            </button>
          )}
          <label for="token">API token</label>
          <input
            id="token"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="token-use"
          />
          <p id="token-use" class="muted">
            It opens a session of 12 hours, and is not kept in this browser.
          </p>
          <p role="alert" class="problem">
            {problem}
          </p>
          <button type="submit" class="primary" disabled={isBusy}>
            Sign in
          </button>
          <p>
            <a href={new URL('docs', ROOT).href}>Documentation of the API</a>
          </p>
        </Form>
      </main>
    </>
  );
}
