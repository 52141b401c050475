# What several rooms say, or none in particular. Cancel, Done and Undo are labels that other tools rely on.

button-cancel = Cancel
button-done = Done
button-undo = Undo


button-other-player = Another ID
button-try-again = Try again

role-owner = owner
role-admin = admin
role-operator = operator
role-support = support

stats-days =
    { $days ->
        [one] { $days } day
       *[other] { $days } days
    }

past-amount-unknown = amount not known
receipt-unknown = Receipt { $id } is not there, or not yours to see.

cancel-done = Cancelled. Nothing was done.

confirmation-unknown = This button is too old. Please begin again.
confirmation-expired = This confirmation is older than 15 minutes, so nothing was done. Please begin again.
confirmation-late = That confirmation was older than 15 minutes, so nothing was done. I ask once more.
confirmation-taken = This button was already used, and nothing is done twice. Its result is in this chat, or comes here.
confirmation-withdrawn = You took this back, so nothing was done. Please begin again.
confirmation-not-yours = This button belongs to somebody else. Nothing was done.
confirmation-other-account = You were in another account when you asked for this. Nothing was done. Please begin again.
confirmation-elsewhere = This button belongs to another chat. Nothing was done.
button-old = This button is too old. Please begin again.

refusal-role = Your role may not do this. Ask the owner of the account.
refusal-for-owner = Your role may not do this. Only the owner may.
refusal-for-admin = Your role may not do this. Only admins and the owner may.
refusal-for-operator = Your role may not do this. Only operators, admins and the owner may.
refusal-stranger =
    { $signup ->
        [yes] You are in no account yet. /start opens one of your own; with an invitation, open its link or paste the link here.
       *[no] You are not a member of an account yet. Ask its owner for an invitation, and open its link or paste the link here.
    }
refusal-host = Only the service administrator may do this.

subscription-needed =
    The subscription has ended, so redeeming and look-ups have stopped. { $isSold ->
        [yes] Renew it with /subscribe.
       *[no] To renew it, { $hasContact ->
            [yes] write to { $contact }.
           *[no] ask the service administrator.
        }
    }
subscription-first =
    There is no subscription yet, so redeeming and look-ups are off. { $isSold ->
        [yes] It costs { $subscriptionPrice } for 30 days: /subscribe
       *[no] To get one, { $hasContact ->
            [yes] write to { $contact }.
           *[no] ask the service administrator.
        }
    }
account-paused = The service administrator has paused this account. Ask them what comes next; what is in doubt goes on to its end.
subscription-first-ask = There is no subscription yet, so redeeming and look-ups are off. Ask the owner of the account to get one.
subscription-needed-ask = The subscription has ended, so redeeming and look-ups have stopped. Ask the owner of the account to renew it.

error-ours = Something went wrong on my side. Please try again; if it happens again, tell the service administrator the number { $reference }.
error-stopping = I am being restarted. Please try again in a few seconds.
error-overloaded = Too much is asked of me just now. Nothing was done. Please try again in a minute.
error-contested = Another machine seems to serve the same codes, so none are handed out for now. Nothing was done. The service administrators know of it.
error-gone = That is not there any more. Please begin again.
error-input = That does not fit. Please begin again.

host-other-bot = I am @{ $bot } now; until now this service was @{ $before }. People have to open the new bot and press Start. What was asked and not answered is kept, and files that were not fetched have to be sent again.
host-update-set-aside =
    🧯 Something brought me down three times, so I put it aside.
    From: { $person } ({ $id })
    What: { $kind }
    When: { $when }
    Number: { $update }
update-set-aside =
    I failed three times to handle what you sent on { $when } ({ $kind }), so I put it aside.
    Whether anything was done, /history and /stock show. If you try again and it happens again, tell the service administrator the number { $update }.

set-aside-command = the command { $what }
set-aside-message = a message
set-aside-file = a file
set-aside-tap = a button ({ $what })
set-aside-money = news of a payment
set-aside-other = something else
game-name = { $game }
