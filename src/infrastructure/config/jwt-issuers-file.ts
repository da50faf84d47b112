import { checkRights } from '../../domain/access/access-token.ts';
import {
  issuerRuleShape,
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
    const issuer = entry as Omit<TokenIssuer, 'rules'> & { readonly rules: readonly unknown[] };
    const rules = checkedRules(issuer.rules, `${path}.rules`);
    checkRule(!known.has(issuer.issuer), `${path}.issuer is that of another entry`);
    known.add(issuer.issuer);
    return { ...issuer, rules };
  });
}

/** @throws DomainError `invalid-request` naming the path of the field. */
export function checkedRules(rules: readonly unknown[], path: string): readonly IssuerRule[] {
  return rules.map((rule, index) => checkedRule(rule, `${path}[${index}]`));
}

function checkedRule(rule: unknown, path: string): IssuerRule {
  checkExactShape(issuerRuleShape, rule, path);
  const { claims, rights } = rule as IssuerRule;
  // A rule without claims would admit every workload of the issuer.
  checkRule(Object.keys(claims).length > 0, `${path}.claims must name a claim`);
  checkRights(rights, `${path}.rights`);
  return rule as IssuerRule;
}
