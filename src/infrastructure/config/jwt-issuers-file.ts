import { checkRights } from '../../domain/access/access-token.ts';
import {
  tokenIssuerShape,
  type IssuerRule,
  type TokenIssuer,
} from '../../domain/access/token-issuer.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import { checkRule } from './check-rule.ts';
import { readEntries } from './file-entries.ts';

/**
 * Reads the issuers of `JWT_ISSUERS_FILE` (platform contract, section 11).
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseJwtIssuers(content: string): readonly TokenIssuer[] {
  const known = new Set<string>();
  return readEntries('JWT_ISSUERS_FILE', { content, of: 'issuers' }, (entry, path) => {
    checkExactShape(tokenIssuerShape, entry, path);
    const issuer = entry as TokenIssuer;
    checkRules(issuer.rules, `${path}.rules`);
    checkRule(!known.has(issuer.issuer), `${path}.issuer is that of another entry`);
    known.add(issuer.issuer);
    return issuer;
  });
}

/** @throws DomainError `invalid-request` naming the path of the field. */
export function checkRules(rules: readonly IssuerRule[], path: string): void {
  for (const [index, { claims, rights }] of rules.entries()) {
    // A rule without claims would admit everybody whom the issuer knows.
    checkRule(Object.keys(claims).length > 0, `${path}[${index}].claims must name a claim`);
    checkRights(rights, `${path}[${index}].rights`);
  }
}
