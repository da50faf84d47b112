-- Creates a queue unless it is there.
--- @include "adds/created-queue"

createQueue(registry, meta)
