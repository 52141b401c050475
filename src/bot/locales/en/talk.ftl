# The talking itself: conversations that ended without an answer, and leafing through lists.

conversation-idle = That took more than 30 minutes, so I left it. Nothing was done. Please begin again.
conversation-changed = I was updated meanwhile and had to leave what we were doing. Nothing was done. Please begin again.
conversation-too-long = That took too many answers, so I left it. Nothing was done. Please begin again, or press /help.
cancel-nothing = There is nothing to leave. /help shows what I can do.

past-newer = ← Newer
past-older = Older →
