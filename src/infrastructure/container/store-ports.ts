import type { ContainerModuleLoadOptions, ServiceIdentifier } from 'inversify';
import type { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../adapters/outbound/prometheus/timed.ts';
import { STORE_NATURES, type StorePorts } from '../../application/ports/store-ports.ts';
import { tokens } from './tokens.ts';

/** The tokens of the ports of a store; several where its users need a part each. */
const TOKENS: { readonly [Name in keyof StorePorts]: readonly ServiceIdentifier<object>[] } = {
  queues: [tokens.queuePort],
  movingQueues: [tokens.movingQueuePort],
  queueControl: [tokens.queueControlPort],
  queueDirectory: [tokens.queueDirectoryPort],
  queueStandings: [tokens.queueStandingPort],
  demand: [tokens.demandPort],
  attempts: [tokens.attemptEnginePort, tokens.attemptHolderPort, tokens.attemptSweepPort],
  flows: [tokens.flowPort],
  groups: [tokens.groupStorePort],
  nativeTurns: [tokens.nativeTurnPort],
  jobControl: [tokens.jobControlPort],
  jobEndings: [tokens.jobEndingsPort],
  jobScan: [tokens.jobScanPort],
  jobParts: [tokens.jobPartPort],
  events: [tokens.eventPort],
  breakers: [tokens.breakerPort],
  expiry: [tokens.expiryPort],
  endedRemoval: [tokens.endedRemovalPort],
  redaction: [tokens.redactionPort],
  erasure: [tokens.erasurePort],
  callFigures: [tokens.callFiguresPort],
  figures: [tokens.figuresPort],
  schedulers: [tokens.schedulerPort],
  policies: [tokens.keptPolicies],
  hooks: [tokens.keptHooks],
  hookStates: [tokens.hookStatePort],
  workers: [tokens.keptWorkers],
  accessTokens: [tokens.accessTokenStorePort],
  sessions: [tokens.sessionStorePort],
  settingSets: [tokens.settingSetPort],
  audit: [tokens.auditStorePort],
  keyChecks: [tokens.keyCheckStorePort],
  quotas: [tokens.quotaPort],
  tickets: [tokens.ticketStore],
  repairCodes: [tokens.repairCodeStore],
  system: [tokens.systemPort],
};

const NAMES = Object.keys(TOKENS) as (keyof StorePorts)[];

/** Binds all ports of a store at once. */
export function bindStorePorts(
  bind: ContainerModuleLoadOptions['bind'],
  ports: ServiceIdentifier<StorePorts>,
): void {
  for (const name of NAMES) {
    for (const token of TOKENS[name]) {
      bind(token).toResolvedValue((all: StorePorts) => all[name], [ports]);
    }
  }
}

/** Gives all users of the ports timed ones. */
export function timeStorePorts(
  onActivation: ContainerModuleLoadOptions['onActivation'],
  timer: StoreTimer,
): void {
  for (const name of NAMES) {
    for (const token of TOKENS[name]) {
      onActivation(token, (_, port: object) => timed(port, STORE_NATURES[name] as object, timer));
    }
  }
}
