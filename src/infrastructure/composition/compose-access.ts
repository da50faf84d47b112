import { AccessTokens } from '../../application/access/access-tokens.ts';
import { IssuedTokens } from '../../application/access/issued-tokens.ts';
import { RequestLimits } from '../../application/access/request-limits.ts';
import { Sessions } from '../../application/access/sessions.ts';
import { WorkloadTokens } from '../../application/access/workload-tokens.ts';
import { Audit } from '../../application/audit/audit.ts';
import { Tickets } from '../../application/events/tickets.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** Who may do what, and who did it. */
export function composeAccess(shared: SharedParts, { auth }: Config) {
  const { accessSecrets: secrets, clock, configured, issuerTokens, logger, tokens } = shared;
  const store = shared.accessTokens;
  const issued = new IssuedTokens(store, configured, shared.networks, clock, logger);
  return {
    audit: new Audit(shared.audit, tokens, clock, logger),
    accessTokens: new AccessTokens({ ...shared, store, issued, secrets }),
    issuedTokens: issued,
    sessions: new Sessions({ ...shared, store: shared.sessions, issued, secrets }),
    workloadTokens: issuerTokens && new WorkloadTokens(issuerTokens, clock),
    requestLimits: new RequestLimits(shared.quotas, clock, auth.limits),
    tickets: new Tickets(shared.tickets, tokens, clock),
  };
}
