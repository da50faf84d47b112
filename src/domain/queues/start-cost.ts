import { anyJson, integer, type Shape } from '../values/shape.ts';
import type { Json } from '../values/json.ts';

/** What the start of a job counts in limiters unless its options say so. */
export const USUAL_COST = 1;

const MOST_COST = 1_000_000;

/** What the start of a job counts in limiters (further contract, section 23). */
export const startCostShape = integer(0, MOST_COST);

/** The same as a field of a report. One that is malformed is ignored, so that it costs nobody the report. */
export const reportedCostShape: Shape<Json> = { ...anyJson, schema: startCostShape.schema };

/** The header of an answer or a report with what the start of the attempt counted. */
export const COST_HEADER = 'jobgate-cost';

/** The reported cost of a start; undefined for a malformed one, which is ignored. */
export function reportedCost(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value.trim());
  const cost = isDigits ? Number(value) : value;
  const isCost = typeof cost === 'number' && Number.isInteger(cost);
  return isCost && cost >= 0 && cost <= MOST_COST ? cost : undefined;
}
