# What every feature says. Buttons here are labels that other tools rely on.

button-confirm = Confirm
button-cancel = Cancel
button-done = Done
button-undo = Undo

command-help = What I can do for you
command-cancel = Leave what is under way

help-title = <b>What I can do for you</b>

cancel-done = Left. Nothing was done.
cancel-nothing = There is nothing to leave. /help shows what I can do.

conversation-idle = That took more than 30 minutes, so I left it. Nothing was done. Please begin again.
conversation-changed = I was updated meanwhile and had to leave what we were doing. Nothing was done. Please begin again.

draft-unknown = This button is too old. Please begin again.
draft-expired = This confirmation is older than 15 minutes, so nothing was done. Please begin again.
draft-taken = This was pressed before. Nothing was done twice.
draft-not-yours = This button belongs to somebody else. Nothing was done.
draft-elsewhere = This button belongs to another chat. Nothing was done.
button-old = This button is too old. Please begin again.

refusal-role = Your role may not do this. Ask the owner of the account.
refusal-stranger = You are not a member of an account yet. Ask its owner for an invitation.
refusal-host = Only whoever hosts this service may do this.
only-in-private = I do this in our private chat only.

subscription-needed = The subscription has ended, so redeeming and look-ups have stopped. Renew it with /subscribe.
subscription-needed-ask = The subscription has ended, so redeeming and look-ups have stopped. Ask the owner of the account to renew it.

error-ours = Something went wrong on my side. Please try again; if it happens again, tell the host the number { $reference }.
error-conversation = Something went wrong on my side. Please try again in a moment.
error-stopping = I am being restarted. Please try again in a few seconds.
error-gone = That is not there any more. Please begin again.
error-input = That does not fit. Please begin again.

rest-text = I did not expect a message here. /help shows what I can do.
rest-command = I do not know this command. /help shows those I know.

host-update-set-aside = An update was interrupted three times and set aside: { $update }.
