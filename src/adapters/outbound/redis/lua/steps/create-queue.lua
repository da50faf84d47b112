-- Creates a queue unless it is there.
--- @include "rules/create-queue"

createQueue(registry, meta)
