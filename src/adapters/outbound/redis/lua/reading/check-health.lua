-- Checks that the store accepts writes, and that the user may run some commands. A replica would answer a ping too, and
-- so would a master that has lost its replicas or its disk and refuses every write. Deleting a key that never existed
-- is a write that changes nothing, and that a store without free memory still accepts. Servers before version 7 cannot
-- report permissions.
--
-- REST: names of commands

if redis.acl_check_cmd then
  for _, command in ipairs(ARGV) do
    if not redis.acl_check_cmd(command, absent) then
      return redis.error_reply("NOPERM this user has no permissions to run the '" .. command .. "' command")
    end
  end
end
return rcall("DEL", absent)
