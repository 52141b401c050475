# Receipts, and redemptions that failed or are open, in plain words: /receipt, /history, /find, /export.

command-receipt = Show a receipt by its number
command-history = What was redeemed, day by day
command-find = Find a receipt by player, code, day or operator
command-export = Receipts as a spreadsheet

button-receipt-private = Open in our private chat
button-receipt-file = The whole receipt as a file
button-for-customer = For the customer
button-proof = Proof
button-copy-login = Login
button-copy-password = Password
button-copy-account-id = Account ID
button-copy-session-token = Token
button-copy-both = Both
button-copy-code = Code
button-again = Again for { $name }
button-again-all = Same again
button-other-denomination = Another amount
button-other-code = Another code
button-stock = Stock

receipt-ask = Send the number of the receipt.
receipt-ask-number = A receipt has a number, such as 1234. Send it, or /receipt 1234.

receipt-title-redeemed = ✅ <b>Redeemed</b> · receipt { $id }
receipt-title-failed = ❌ <b>Not redeemed</b> · receipt { $id }
receipt-title-pending = ⏳ <b>Being redeemed</b> · receipt { $id }
receipt-title-in-doubt = ❔ <b>Not certain yet</b> · receipt { $id }
receipt-sandbox = 🧪 Sandbox: for trying, nothing reaches a game.
redeem-running = ⏳ Redeeming { $what } for { $player }… { $seconds } s

receipt-game = Game: { $game }
receipt-player = Player: <b>{ $name }</b>, ID <code>{ $player }</code>
receipt-player-id = Player: ID <code>{ $player }</code>
receipt-amount = Amount: { $what }
receipt-amount-unsure = Amount: not known for certain (a code of { $what })
receipt-amount-unknown = Amount: not known for certain
receipt-wanted = Asked for: { $what }
receipt-code = Code: <tg-spoiler>{ $code }</tg-spoiler>
receipt-when = When: { $when }
receipt-by = By: { $who }
receipt-left = { $what } left: { $count }
receipt-by-former = a former member ({ $id })
receipt-by-api-key = API key { $prefix }…
receipt-by-host = the service administrator
receipt-by-claim = a claim link { $claim }
receipt-by-lost = carried out in the lost time

receipt-login = Login: <tg-spoiler>{ $value }</tg-spoiler>
receipt-password = Password: <tg-spoiler>{ $value }</tg-spoiler>
receipt-account-id = Player account ID: <tg-spoiler>{ $value }</tg-spoiler>
receipt-session-token = Session token: <tg-spoiler>{ $value }</tg-spoiler>
receipt-too-long = This is too long for a message: take it as a file.

receipt-no-order-list = ℹ️ The code is redeemed. This service keeps no order list in which the top-up could be looked up: ask the player whether it arrived. If not, write to the service administrator with receipt { $id }.
receipt-warning = ⚠️ The code is redeemed, but the full receipt was not found on the top-up platform. Ask the player whether it arrived. If not, or if the player cannot log in, write to the service administrator with receipt { $id }: the password can be reset.
receipt-pending = It is under way. The result will appear by itself.
receipt-in-doubt = The platform has not said whether it worked. The code is held, so that it cannot be used twice. I find out by myself and tell you here; please do not redeem it again meanwhile.

receipt-reason-no-codes-available = There was no code of this denomination left.
receipt-reason-paused = This denomination is paused: the platform refused five of its codes in a row. The owner or an admin can let it go on in /stock.
receipt-reason-character-not-found = The game does not know this player ID.
receipt-reason-invalid-code = The code is not valid.
receipt-reason-code-used = The code had been used before.
receipt-reason-code-elsewhere = Another redemption of this code is still under way.
receipt-reason-no-accounts-available = The top-up platform had no account free for it.
receipt-reason-login-failed = The top-up platform could not log in.
receipt-reason-risk-control = The game's protection stopped this redemption.
receipt-reason-network-error = The top-up platform could not be reached.
receipt-reason-invalid-activation-response = The top-up platform's answer could not be read, and nothing was redeemed.
receipt-reason-unknown = The top-up platform did not answer, and nothing was redeemed.

receipt-code-back = The code went back into the stock.
receipt-code-untouched = The code was not used: it is still good.
receipt-code-used = The code cannot be used any more.
receipt-code-invalid = The code was put aside and is not offered again.
receipt-code-refused = The code was not accepted: check it for mistakes.

receipt-charged = 1 activation was charged.
receipt-not-charged = Nothing was charged.

receipt-next-other-denomination = Next: choose another denomination, or add codes with /add_codes.
receipt-next-other-player = Next: check the ID with the player and send the right one.
receipt-next-other-code = Next: send another code.
receipt-next-again = Next: try again, I will take another code.
receipt-next-later = Next: wait a few minutes and try again.

customer-title-redeemed = ✅ <b>Your top-up is done</b>
customer-title-failed = ❌ <b>Your top-up did not go through</b>
customer-title-pending = ⏳ <b>Your top-up is under way</b>
customer-title-in-doubt = ⏳ <b>Your top-up is being checked</b>
customer-number = Receipt: { $id }
customer-next-done = If you do not see it yet, restart the game.
customer-next-check = It can take a little while to arrive. Please check in the game, and write to us if it does not come.
customer-next-wait = It is not certain yet whether it has arrived. We are finding out and will tell you.
customer-next-player = The game does not know this player ID. Please check it and send us the right one.
customer-next-failed = Nothing was topped up. Please write to us, and give this receipt number.

history-entry = { $mark } { $when } · <b>{ $what }</b> · { $player }{ $code } · /receipt_{ $id }
past-legend = ✅ redeemed · ⚠️ redeemed, receipt incomplete · ❌ failed · ❔ in doubt · ⏳ under way

history-day =
    { $own ->
        [yes] <b>Your redemptions</b>, { $day }{ $several ->
            [0] {""}
           *[other] , page { $page }
        }. Times are { $zone }.
       *[no] <b>History</b>, { $day }{ $several ->
            [0] {""}
           *[other] , page { $page }
        }. Times are { $zone }.
    }
history-total = ✅ { NUMBER($redeemed, useGrouping: 0) }{ $failed ->
        [0] {""}
       *[other] {" "}· ❌ { NUMBER($failed, useGrouping: 0) }
    }{ $open ->
        [0] {""}
       *[other] {" "}· ❔ { NUMBER($open, useGrouping: 0) }
    }
history-day-empty =
    { $own ->
        [yes] You redeemed nothing on { $day }.
       *[no] Nothing was redeemed on { $day }.
    }
history-day-earlier = ‹ { $day }
history-day-later = { $day } ›
history-empty = Nothing was redeemed yet. The first redemption will stand here.
history-empty-own = You have not redeemed anything yet. Your redemptions will stand here.

find-ask = What shall I look for? Send a player ID or 4 digits of its beginning or end, a name, a code or 6 characters of its beginning or end, a day or two (21.11, yesterday), who redeemed it, “failed” or “in doubt”. Several of them together work, too: yesterday failed.
find-need-text = Please send it as a text. /cancel ends the search.
find-title =
    { $count ->
        [one] <b>Found 1 redemption.</b> Times are { $zone }.
       *[other] <b>Found { $count } redemptions</b>{ $several ->
            [1] .
           *[other] , page { $page } of { $pages }.
        } Times are { $zone }.
    }
find-by = Looked for: { $what }
find-state-failed = failed
find-state-in-doubt = in doubt
find-more = I looked back to { $day }. There may be older ones: a whole player ID, a code or a day finds them.
find-more-characters = Too many codes begin or end like this. Send more characters of the code.
find-nothing =
    { $what ->
        [none] Nothing found.
       *[other] Nothing found for { $what }.
    }
find-nothing-state =
    { $state ->
        [failed] { $own ->
            [yes] Nothing of yours failed
           *[no] Nothing failed
        }
        [in_doubt] { $own ->
            [yes] Nothing of yours is in doubt
           *[no] Nothing is in doubt
        }
       *[other] { $own ->
            [yes] You redeemed nothing
           *[no] Nothing was redeemed
        }
    }{ $when ->
        [none] {""}
       *[other] {" "}{ $when }
    }.
find-when =
    { $span ->
        [day] on { $first }
       *[span] from { $first } to { $last }
    }
find-too-few =
    { $count ->
        [one] 1 character is too few of a code: I need 6 of its beginning or end.
       *[other] { $count } characters are too few of a code: I need 6 of its beginning or end.
    }
find-too-few-digits =
    { $count ->
        [one] 1 digit is too few: I need 4 of a player ID, 6 of a code.
       *[other] { $count } digits are too few: I need 4 of a player ID, 6 of a code.
    }
find-near-state =
    { $state ->
        [failed] Failed, any day
       *[in_doubt] In doubt, any day
    }
find-near-day = { $day }, all

export-ask = Of how many days do you want the receipts? Logins, passwords and whole codes are left out.
export-ask-full = Of how many days do you want the receipts, with codes, logins and passwords?
export-wrong = Send a number of days from 1 to { $most }, such as /export 30. For programs: /export 30 csv. An owner gets codes, logins and passwords with /export 30 full.
export-full-refused = Only the owner gets a file with codes, logins and passwords. /export { $days } gives you one without them.
export-confirm =
    { $days ->
        [one] The file will hold the codes, logins and passwords of <b>today’s</b> receipts, readable for anybody who gets it. Shall I make it?
       *[other] The file will hold the codes, logins and passwords of <b>{ $days } days</b>, readable for anybody who gets it. Shall I make it?
    }
export-under-way = I am making the file…
export-refused = Telegram did not take the file. /export { $asked } makes it anew.
export-empty =
    { $days ->
        [one] There are no receipts from today. /export offers other ranges.
       *[other] There are no receipts from the last { $days } days. /export offers other ranges.
    }
export-done =
    { $count ->
        [one] 1 receipt. Times are { $zone }.
       *[other] { $count } receipts. Times are { $zone }.
    }
export-more = A file holds no more than that: these are the oldest. Fewer days give you the newer ones.
export-done-full =
    { $count ->
        [one] 1 receipt with its code, login and password. Delete this message when you no longer need it.
       *[other] { $count } receipts with codes, logins and passwords. Delete this message when you no longer need it.
    }

button-make-file = Make the file
button-delete-file = Delete the file
file-deleted = Deleted.
file-not-deleted = Telegram does not let me delete it any more. Please delete it yourself.

export-sheet = Receipts
export-column-id = Receipt
export-column-begun = When ({ $zone })
export-column-settled = Settled
export-column-outcome = Outcome
export-column-game = Game
export-column-player-id = Player ID
export-column-player = Player
export-column-region = Region
export-column-product = Product
export-column-wanted = Asked for
export-column-amount = Amount
export-column-currency = Currency
export-column-code-ending = End of code
export-column-reason = Reason
export-column-by = By
export-column-code = Code
export-column-uid = Account
export-column-login = Login or account ID
export-column-password = Password or token
export-outcome-redeemed = Redeemed
export-outcome-warning = Redeemed, receipt incomplete
export-outcome-failed = Failed
export-outcome-in-doubt = In doubt
export-outcome-pending = Under way
export-csv-marks = A cell that begins with = + - or @ has a ' before it.
