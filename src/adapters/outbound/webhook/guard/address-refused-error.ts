import { EndpointCallError } from '../../../../application/ports/webhook-port.ts';

/**
 * The address of an endpoint must not be connected to. That holds as long as the configuration, so another attempt
 * would fail too.
 */
export class AddressRefusedError extends EndpointCallError {
  static readonly CODE = 'ADDRESS_NOT_ALLOWED';

  /** What is left of an error that a client wraps. */
  readonly code = AddressRefusedError.CODE;

  constructor() {
    super('Address not allowed', 'refused', true);
  }
}
