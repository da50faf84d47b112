import { checkRights } from '../../domain/access/access-token.ts';
import {
  issuerRuleShape,
  tokenIssuerShape,
  type IssuerRule,
  type TokenIssuer,
} from '../../domain/access/token-issuer.ts';
import { DomainError } from '../../domain/errors.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { Shape } from '../../domain/values/shape.ts';
import { unknownField } from './unknown-field.ts';
import { ConfigError } from './config-error.ts';

/**
 * Reads the issuers of `JWT_ISSUERS_FILE` (platform contract, section 11).
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseJwtIssuers(content: string): readonly TokenIssuer[] {
  const list = parsed(content);
  if (!Array.isArray(list)) throw problem('must hold a JSON array of issuers');
  const issuers = list.map((entry: unknown, index) => checked(entry, `[${index}]`));
  issuers.forEach(({ issuer }, index) => {
    if (issuers.findIndex((each) => each.issuer === issuer) === index) return;
    throw problem(`[${index}].issuer is that of another entry`);
  });
  return issuers;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw problem('must hold JSON');
  }
}

function checked(entry: unknown, path: string): TokenIssuer {
  try {
    checkKnown(tokenIssuerShape, entry, path);
    const issuer = entry as Omit<TokenIssuer, 'rules'> & { readonly rules: readonly unknown[] };
    const rules = issuer.rules.map((rule, index) => {
      const place = `${path}.rules[${index}]`;
      checkKnown(issuerRuleShape, rule, place);
      const { claims, rights } = rule as IssuerRule;
      // A rule without claims would admit every workload of the issuer.
      if (Object.keys(claims).length === 0) throw problem(`${place}.claims must name a claim`);
      checkRights(rights, `${place}.rights`);
      return rule as IssuerRule;
    });
    return { ...issuer, rules };
  } catch (error) {
    if (error instanceof DomainError) throw problem(error.message);
    throw error;
  }
}

function checkKnown(shape: Shape<unknown>, value: unknown, path: string): void {
  checkShape(shape, value, path);
  const unknown = unknownField(shape, value, path);
  if (unknown !== undefined) throw problem(`${unknown} is unknown`);
}

function problem(message: string): ConfigError {
  return new ConfigError([`JWT_ISSUERS_FILE: ${message}`]);
}
