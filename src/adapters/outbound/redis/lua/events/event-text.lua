-- A text for an event: one that is too long is cut between two characters.
local function eventText(text)
  if #text <= MAX_EVENT_VALUE then return text end
  return (string.gsub(string.sub(text, 1, MAX_EVENT_VALUE), "[\192-\255][\128-\191]*$", ""))
end

-- A JSON value for an event. One that is too long cannot be cut, and clients of BullMQ stop at an event without one.
local function eventValue(json)
  return #json > MAX_EVENT_VALUE and LEFT_OUT or json
end
