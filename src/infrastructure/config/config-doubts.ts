import type { LogFields } from '../../application/ports/logger-port.ts';
import { likelyVariable } from './likely-variable.ts';
import type { Environment } from './environment-reader.ts';
import type { StoreKind } from './store-kinds.ts';
import { allVariables, variableNames } from './variables.ts';

/** A warning about a legal setting that is probably a mistake. It contains no value. */
export interface ConfigDoubt {
  readonly message: string;
  readonly fields: LogFields;
}

/** The other facts about the configuration and the machine. */
export interface DoubtContext {
  /** How many processes the configuration asks for. */
  readonly processes: number;
  readonly cores: number;
  readonly store: StoreKind;
}

/** Any of these sets the address of the store. */
const PLACES = ['STORE_URI', 'STORE_HOST', 'STORE_CLUSTER_NODES', 'STORE_SENTINELS'];

/** The STORE_PATH that the image sets for the case that nothing chooses another store. */
export const PATH_OF_IMAGE = '/data';

/** The variables that deserve a warning at start, although none of them is certainly wrong. */
export function configDoubts(
  environment: Environment,
  { processes, cores, store }: DoubtContext,
): readonly ConfigDoubt[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const isOf = (kind: string): boolean => environment['STORE'] === kind;
  const hasPlace = PLACES.some(isSet) || isSet('STORE_PATH') || isOf('memory') || isOf('embedded');
  const isMissing = (meant: string): boolean =>
    !isSet(meant) && !(hasPlace && PLACES.includes(meant));
  const doubts: ConfigDoubt[] = [];
  for (const variable of Object.keys(environment).filter(isSet)) {
    const meant = likelyVariable(variable, variableNames);
    if (meant === undefined || !isMissing(meant)) continue;
    doubts.push({
      message: `${variable} is not a variable of jobgate, is ${meant} meant?`,
      fields: { variable, meant },
    });
  }
  for (const { name, stores } of allVariables) {
    const isOfImage = name === 'STORE_PATH' && environment[name] === PATH_OF_IMAGE;
    const isGiven = isSet(name) && (!isOfImage || isSet('STORE'));
    if (!isGiven || (stores?.includes(store) ?? true)) continue;
    doubts.push({
      message: `${name} is set, but STORE=${store} does not use it`,
      fields: { store },
    });
  }
  if (processes > cores) {
    const message = 'WEB_CONCURRENCY asks for more processes than there are cores';
    doubts.push({ message, fields: { processes, cores } });
  }
  return doubts;
}
