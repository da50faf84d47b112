-- In TypeScript: domain/transitions/signals
-- Remembers a signal that was sent, in a queue that exists.
--
-- record: where it is remembered
-- body: digest of the request
--- @include "adds/remembered-add"

if rcall("EXISTS", meta) == 1 then remember(record, idempotency, body, "{}", now, woken, {}) end
return 1
