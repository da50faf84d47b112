-- In TypeScript: domain/transitions/add-following
--- @include "adds/enqueued-job"

-- Adds a job that follows the end of another one.
local function addFollowing(prefix, id, name, data, options, timestamp, maxEvents)
  storeAndEnqueueJob(prefix .. "events", prefix .. id, id, name, data, options, timestamp, nil, nil, nil, maxEvents,
    prefix .. "wait", nil, nil, prefix .. "meta", prefix .. "prioritized", nil, prefix .. "delayed", prefix .. "marker")
end
