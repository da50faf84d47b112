import { claimInWords, type Admission } from '../../../../domain/values/admission-in-words.ts';
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
