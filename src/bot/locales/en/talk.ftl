# The talking itself: conversations that ended without an answer, and leafing through lists.

conversation-idle = That took more than 30 minutes, so I cancelled it. Nothing was done. Please begin again.
conversation-changed = I was updated meanwhile and had to cancel what you had begun. Nothing was done. Please begin again.
conversation-too-long = That took too many answers, so I cancelled it. Nothing was done. Please begin again, or press /help.
cancel-nothing = There is nothing to cancel. /help shows what I can do.

page-previous = ‹ Previous
page-next = Next ›
button-back = ‹ Back
