-- In TypeScript: domain/transitions/shared-limits
-- Has settings in force for the limit of a flow control key, in place of any others, and offers the room that is new.
--
-- name: of the limit
-- value: the settings as JSON
-- delay: until its latest message is due, in ms
--- @include "limits/offer-room"

if bindLimit(limitRoot(start), name, value, delay) then freeLimit(name) end
offerFreed(start)
