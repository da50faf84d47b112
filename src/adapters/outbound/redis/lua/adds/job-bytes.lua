-- The bytes that a job takes in an answer.
local function bytesOf(job)
  return rcall("HSTRLEN", job, "name") + rcall("HSTRLEN", job, "data") + rcall("HSTRLEN", job, "opts")
    + rcall("HSTRLEN", job, "progress") + rcall("HSTRLEN", job, "returnvalue")
    + rcall("HSTRLEN", job, "failedReason") + rcall("HSTRLEN", job, "stacktrace")
end
