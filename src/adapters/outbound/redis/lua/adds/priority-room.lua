-- How far below the scores of its priority a job may go that was put back: room for as many jobs as run at once, again
-- and again. No queue has so many of the next higher priority that they reach that far.
local ROOM = 0x1000000
