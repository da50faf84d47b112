import type { Admission, AskedClaim } from '../../../../domain/access/admission.ts';
import type { ReplyHeaders } from '../../exchange/whole-reply.ts';
import { hashOf } from './docs/docs-page.ts';
import { DOCS_STYLE } from './docs/docs-style.ts';
import { html, Html, NOTHING } from './docs/html.ts';

/** The page runs nothing, and loads nothing. */
export const SIGN_IN_POLICY: ReplyHeaders = {
  'Content-Security-Policy': `default-src 'none'; style-src '${hashOf(DOCS_STYLE)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};

/** Why a person could not sign in. */
export interface FailedSignIn {
  readonly title: string;
  readonly message: string;
  /** Where no rule matches. */
  readonly admission?: Admission;
  /** The target of the request, to which the links are relative. */
  readonly url: string;
}

/** The page of a person who could not sign in (further contract, section 25). */
export function signInPage({ title, message, admission, url }: FailedSignIn): string {
  const [path = ''] = url.split('?', 1);
  const root = '../'.repeat(path.split('/').length - 2);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · jobgate</title>
        ${new Html(`<style>${DOCS_STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${message}.</p>
          ${admission === undefined ? NOTHING : admissionParts(admission)}
          <p><a href="${root}sign-in">Begin again</a></p>
          <p><a href="${root}dashboard">Sign in with an API token</a></p>
        </main>
      </body>
    </html> `;
  return page.text;
}

function admissionParts({ claims, rules }: Admission): Html {
  return html`<h2>Claims that arrived</h2>
    <table>
      ${claims.map(
        ({ name, values }) =>
          html`<tr>
            <td><code>${name}</code></td>
            <td>
              ${values === undefined ? 'not shown, since no rule asks for it' : values.join(', ')}
            </td>
          </tr>`,
      )}
    </table>
    <h2>What the rules ask for</h2>
    <table>
      ${rules.map(
        ({ name, asked }) =>
          html`<tr>
            <td>${name}</td>
            <td>${asked.map((each) => html`<p>${askedText(each)}</p>`)}</td>
          </tr>`,
      )}
    </table>
    <p>
      The issuer has to send a claim that did not arrive, and maybe SIGN_IN_FILE has to ask for its
      scope.
    </p>`;
}

function askedText({ claim, pattern, isMet, hasArrived }: AskedClaim): Html {
  const state = isMet ? 'matches' : hasArrived ? 'has another value' : 'did not arrive';
  return html`<code>${claim}</code> = <code>${pattern}</code>: ${state}`;
}
