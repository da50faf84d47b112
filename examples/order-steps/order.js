import { cancelPayment, charge, ship } from './shop.js';

const DAY = 86_400_000;

/**
 * What an order needs next, as the status and body of an answer: 206 saves steps or waits, 200 completes the job.
 *
 * @param steps what earlier calls saved, by name. Which comes first is decided here, by what is missing.
 */
export async function next({ id, data }, steps) {
  if (!steps.charge) return save({ charge: await charge(data, `${id}.charge`) });
  if (steps.paid === undefined) {
    return [206, { waitFor: { paid: { signal: `paid:${id}`, timeout: DAY } } }];
  }
  // The day is over.
  if (steps.paid === null) {
    if (!steps.undo) return save({ undo: await cancelPayment(steps.charge) });
    return [200, { state: 'cancelled', ...steps.undo }];
  }
  if (!steps.ship) return save({ ship: await ship(data, `${id}.ship`) });
  return [200, { state: 'shipped', by: steps.paid.by, ...steps.ship }];
}

function save(steps) {
  return [206, { steps }];
}
