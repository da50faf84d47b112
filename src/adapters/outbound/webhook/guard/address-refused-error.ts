import { EndpointCallError } from '../../../../application/ports/webhook-port.ts';

/**
 * The address of an endpoint must not be connected to. The configuration decides that, so another attempt would fail
 * too.
 */
export class AddressRefusedError extends EndpointCallError {
  static readonly CODE = 'ADDRESS_NOT_ALLOWED';

  /** All that remains of the error when a client wraps it. */
  readonly code = AddressRefusedError.CODE;

  constructor() {
    super('Address not allowed', 'refused', true);
  }
}
