import { AccessTokens } from '../../application/access/access-tokens.ts';
import { IssuedTokens } from '../../application/access/issued-tokens.ts';
import { RequestLimits } from '../../application/access/request-limits.ts';
import { RightsLookups } from '../../application/access/rights-lookups.ts';
import { SignIn } from '../../application/access/sign-in.ts';
import { Sessions } from '../../application/access/sessions.ts';
import { WorkloadTokens } from '../../application/access/workload-tokens.ts';
import { Audit } from '../../application/audit/audit.ts';
import { Tickets } from '../../application/events/tickets.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** Who may do what, and who did it. */
export function composeAccess(shared: SharedParts, { auth, webhook }: Config) {
  const { accessSecrets: secrets, clock, configured, issuerTokens, logger, tokens } = shared;
  const issued = new IssuedTokens(shared, configured, shared.networks, clock, logger);
  const { identityProvider: provider, sessions } = shared;
  const lookups = new RightsLookups({ provider, store: sessions, secrets, clock, logger });
  return {
    audit: new Audit(shared.audit, tokens, clock, logger),
    accessTokens: new AccessTokens({ ...shared, issued, secrets }),
    issuedTokens: issued,
    sessions: new Sessions({ ...shared, store: sessions, issued, lookups, secrets }),
    signIn: new SignIn({ ...shared, provider, publicUrl: webhook.publicUrl ?? '' }),
    workloadTokens: issuerTokens && new WorkloadTokens(issuerTokens, clock),
    requestLimits: new RequestLimits(shared.quotas, clock, auth.limits),
    tickets: new Tickets(shared.tickets, tokens, clock),
  };
}
