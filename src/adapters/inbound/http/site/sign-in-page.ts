import { claimInWords, type Admission } from '../../../../domain/values/admission-in-words.ts';
import { NotAdmittedError } from '../../../../domain/access/admission.ts';
import type { ReplyHeaders } from '../../exchange/whole-reply.ts';
import { htmlPage, pagePolicy } from './docs/html-page.ts';
import { html, NOTHING, type Html } from './docs/html.ts';

/** The page runs nothing, and loads nothing. */
export const SIGN_IN_POLICY: ReplyHeaders = {
  'Content-Security-Policy': pagePolicy(),
  'Referrer-Policy': 'no-referrer',
};

/**
 * The page of a person who could not sign in (further contract, section 25).
 *
 * @param url the target of the request, to which the links are relative.
 */
export function signInPage(error: unknown, status: number, message: string, url: string): string {
  const [path = ''] = url.split('?', 1);
  const root = '../'.repeat(path.split('/').length - 2);
  const failure = status < 500 ? 'The sign-in failed' : 'Nobody can sign in at the moment';
  const isRefused = error instanceof NotAdmittedError;
  const title = isRefused ? 'You may not use jobgate' : failure;
  const body = html`<main>
    <h1>${title}</h1>
    <p>${message}.</p>
    ${isRefused ? admissionParts(error.admission) : NOTHING}
    <p><a href="${root}sign-in">Begin again</a></p>
    <p><a href="${root}dashboard">Sign in with an API token</a></p>
  </main>`;
  return htmlPage(`${title} · jobgate`, body);
}

function admissionParts({ scopes, claims, rules }: Admission): Html {
  return html`<h2>What each rule asks for</h2>
    <table>
      ${rules.map(({ name, asked }) =>
        row(
          name,
          asked.map(
            (each) =>
              html`<p>
                <code>${each.claim}</code> = <code>${each.pattern}</code>: ${claimInWords(each)}
              </p>`,
          ),
        ),
      )}
    </table>
    <p>
      A claim that did not arrive is missing in the settings that the issuer has for jobgate, or
      belongs to a scope that SIGN_IN_FILE does not ask for.
    </p>
    <h2>What was asked for, and what arrived</h2>
    <table>
      ${row('Scopes', codes(scopes))} ${row('Claims', codes(claims))}
    </table>`;
}

function row(name: string, content: readonly Html[]): Html {
  return html`<tr>
    <td>${name}</td>
    <td>${content}</td>
  </tr>`;
}

function codes(texts: readonly string[]): readonly Html[] {
  return texts.map((text) => html`<code>${text}</code> `);
}
