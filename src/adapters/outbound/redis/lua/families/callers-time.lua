-- The time of the step's caller in epoch ms, from which parents that a removal releases count their delay. A step that
-- removes jobs sets it: BullMQ's functions, which stand between the step and the release, have no argument for it.
local callersTime
