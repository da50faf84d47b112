/*
 * The services of a shop. These make up what they return: put your own in their place, and pass them the key, so that a
 * step that is done a second time has no second effect.
 */

/** Asks the customer to pay. */
export async function charge({ amount }, key) {
  return { payment: `pay_${key}`, amount };
}

/** Takes back what `charge` asked for. */
export async function cancelPayment({ payment }) {
  return { cancelled: payment };
}

export async function ship({ item }, key) {
  return { parcel: `parcel_${key}`, item };
}
