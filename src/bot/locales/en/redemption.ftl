# /redeem: from the first question to the last confirmation. How a redemption goes on is in receipts.ftl.

command-redeem = Redeem a code for a player

button-redeem = Redeem
button-thats-the-one = Yes, that's the one
button-send-code = Send a code instead
button-redeem-again = Redeem again
button-redeem-all = Redeem all
button-redeem-all-again = Redeem all again
button-one-by-one = One by one
button-card-game = { $game } instead
button-stop = Stop
button-order-logins = Logins
button-order-rest = Continue with the rest
button-plain-player = Player { $player }
button-plain-player-what = Player { $player } · { $what }
button-plain-codes = These are codes
button-plain-redeem = Redeem it for a player
button-plain-add = Add codes of { $what }
button-plain-add-code = Add to the stock
button-plain-redeem-code = Redeem now · { $game }

redeem-game = Which game?
redeem-player = Send the player ID: 5 to 20 digits, as the game shows it.
redeem-player-or-known = Send the player ID, or pick one of your last players.
redeem-player-form = That is not a player ID. It has 5 to 20 digits and nothing else.
redeem-player-unknown = There is no player with this ID in this game. Check the digits.
redeem-unreachable = The game does not tell me the name right now. Nothing was charged. Try again in a moment.
redeem-unnamed = Names cannot be looked up here, so check the digits: <code>{ $player }</code>. Send the same ID once more, and I take it. Nothing was charged.
redeem-is-it = Is it <b>{ $name }</b>, ID <code>{ $player }</code>?
redeem-another-id = This is another ID than before: that was { $before }.
redeem-what = What shall I redeem?
redeem-card =
    <b>{ $name }</b>, ID <code>{ $player }</code>
    Game: { $game }
redeem-code-only = { $game } has no stock here. Send the code that is to be redeemed.
redeem-few-left =
    { $count ->
        [one] There is only { $count } code of { $what } left.
       *[other] There are only { $count } codes of { $what } left.
    }
redeem-denomination = { $what } · { $count } left
redeem-stock-empty = There are no codes in stock. Add some with /add_codes, or send me a code to redeem.
redeem-paused = ⏸ <b>{ $what }</b>. { receipt-reason-paused }
redeem-none-left = There is no code of { $what } left.
redeem-pack = There is no { $what }. <b>{ $pack }</b>?
redeem-no-pack =
    { $count ->
        [0] There is no { $what } here.
       *[other] There is no { $what } here, and nothing adds up to it: { $there }.
    }
redeem-unread = Not understood: <b>{ $words }</b>. Compare it with what the customer wants.
redeem-code = Send the code for { $game }.
redeem-code-form = That is not a code for { $game }. Check it and send it again; or pick one of the buttons.
redeem-usage =
    Send /redeem and I ask for the rest, or all at once:
    /redeem 5124780131 60
    That is the player ID, then the denomination or a code.

redeem-confirm =
    <b>Redeem this?</b>
    Game: { $game }
    Player: <b>{ $name }</b>, ID <code>{ $player }</code>
redeem-confirm-lines =
    <b>Redeem all of this?</b>
    Game: { $game }
    { $players } players, { $count } codes from stock:
redeem-confirm-line = <b>{ $name }</b>, ID <code>{ $player }</code>: { $what }
redeem-one-by-one = One by one: each has a message of its own below.
redeem-confirm-stock =
    { $count ->
        [one] Code: { $what } from stock
       *[other] { $count } codes: { $what } from stock
    }
redeem-confirm-codes =
    { $count ->
        [one] Code: { $what }
       *[other] { $count } codes: { $what }
    }
redeem-confirm-code = Code: <tg-spoiler>{ $code }</tg-spoiler>
redeem-confirm-cost =
    { $count ->
        [one] Cost: { $count } activation
       *[other] Cost: { $count } activations
    }
redeem-same-redeemed = ⚠️ This player got { $what } { $ago }, redeemed by { $who }.
redeem-same-pending = ⚠️ { $what } is being redeemed for this player right now, begun { $ago } by { $who }.
redeem-same-ordered = ⚠️ { $what } is ordered for this player already, { $ago } by { $who }.
redeem-same-in-doubt = ⚠️ { $what } for this player is still in doubt, begun { $ago } by { $who }.
redeem-minutes-ago =
    { $minutes ->
        [0] less than a minute ago
        [one] { $minutes } minute ago
       *[other] { $minutes } minutes ago
    }
redeem-hours-ago =
    { $hours ->
        [one] { $hours } hour ago
       *[other] { $hours } hours ago
    }
redeem-cancelled = Cancelled. Nothing was redeemed.
redeem-refused-too-often = Too many orders of your account failed in the last minute, so I am taking a break. Nothing was charged. Please try again in { $seconds } s.

redeem-gone = You are no longer a member of the account of redemption { $id }, so I cannot show you how it ended.

# Messages without a command.
plain-which-player =
    { $count ->
        [one] Is this the player?
       *[other] Which player is it?
    }
plain-player-and-code =
    { $count ->
        [one] Shall I redeem the code for this player, or is it for the stock?
       *[other] Shall I redeem these codes? Each has a button of its own. Or are they for the stock?
    }
plain-look-up-cost = A name is looked up when you press its button: that costs { $cost }.
plain-player-or-code = Is this a player ID or a code?
plain-this-code = code
plain-code-ending = …{ $end }
plain-more-players = There are more numbers than buttons. Not shown: { $players }. Please send these in another message.
plain-more-codes = There are more codes than buttons: the first ten are shown. Please send the others in another message.
plain-one-at-a-time = Names cannot be looked up here. Send me one player at a time, so that you can check each ID.
plain-a-line-each = For several players at once, write a line for each: <code>5124780131 60</code>
plain-amount = <b>{ $what }</b>: redeem it for a player, or add codes of it to the stock?
plain-one-code = What shall I do with the code <tg-spoiler>{ $code }</tg-spoiler>?
plain-one-code-worth = { plain-one-code } For the stock, press what it is worth.
plain-code-spent =
    { $state ->
        [redeemed] This code was redeemed here already: /receipt_{ $id }
       *[other] This code is being redeemed here: /receipt_{ $id }
    }
plain-code-ours = This code is in your stock already, or was.
plain-too-many-players = That is more than 10 players, so I have done nothing yet. Send at most 10 in one message.
plain-too-many-codes = That is more than 10 codes for one player, so I have done nothing yet. Order at most 10 at once.

# Several codes, for one player or several.
order-player = <b>{ $name }</b>, ID <code>{ $player }</code>
order-running =
    { $players ->
        [1] ⏳ Redeeming for <b>{ $name }</b>, ID <code>{ $player }</code>: { $done } of { $all }
       *[other] ⏳ Redeeming for { $players } players: { $done } of { $all }
    }
order-stopping =
    { $players ->
        [1] ⏹ Stopping for <b>{ $name }</b>, ID <code>{ $player }</code>: { $done } of { $all }. The one under way is carried through.
       *[other] ⏹ Stopping for { $players } players: { $done } of { $all }. The one under way is carried through.
    }
order-done =
    { $players ->
        [1] ✅ <b>{ $all ->
            [1] Redeemed
           *[other] All { $all } redeemed
        }</b> for <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] ✅ <b>All { $all } redeemed</b> for { $players } players
    }
order-stopped =
    { $players ->
        [1] ⏹ <b>Stopped: { $done } of { $all } redeemed</b> for <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] ⏹ <b>Stopped: { $done } of { $all } redeemed</b> for { $players } players
    }
order-because-cancelled = It was stopped by hand.
order-because-doubt = What became of one code is not certain, and nothing more was risked.
order-because-items-failed = Codes that came with it failed.
order-because-code-used = A code was used already.
order-because-invalid-code = A code is invalid.
order-because-character-not-found = There is no such player.
order-because-risk-control = The platform’s risk control refused.
order-because-no-accounts-available = The platform had no account free for too long.
order-because-login-failed = The platform’s account could not log in for too long.
order-because-network-error = The platform was out of reach for too long.
order-because-not-enough-stock = The stock was empty for too long.
order-because-quota-exceeded = The quota was used up for too long.
order-because-subscription-expired = There is no active subscription any more: /subscribe
order-because-subscription-expired-ask = There is no active subscription any more. Ask the owner of the account to renew it.
order-because-deadline = Its deadline has passed.
order-because-key-revoked = Its API key was revoked.
order-because-forbidden = Whoever ordered it may not redeem any more.
order-because-restored = A backup of the service was restored. Look first at what was carried out in the lost time.
order-left = Not redeemed: { $what }
order-waits-stock = It waits for codes: none of these is left, or they are promised to others.
order-waits-quota = It waits for the quota, which is used up. /quota shows when activations come back.
order-waits-subscription = It waits for a subscription.
order-waits-platform = The platform cannot carry it out right now. I try again by myself.
order-waits-doubt = I do not know yet how one of them ended. Its code is held, I will find out by myself, and the rest waits for it.
order-given-code = code { $n }, sent with the order
order-given =
    { $count ->
        [one] { $count } code that was sent with the order
       *[other] { $count } codes that were sent with the order
    }
order-rest-waits = There is not enough of { $what } in stock: the order waits for codes, a day at most.
order-replaced =
    { $whose ->
        [same] ⚠️ What was missing for ID <code>{ $before }</code> was ordered already. Ordered again, they get it twice.
        [other] ⚠️ What was missing for ID <code>{ $before }</code> was ordered for another player: <b>{ $name }</b>, ID <code>{ $player }</code>. Resumed, both get it.
       *[unknown] ⚠️ What was missing for ID <code>{ $before }</code> was ordered for another player. Resumed, both get it.
    }
order-not-stopped = This order goes on already, or is over. Nothing was done. /orders shows how it stands.
order-too-many = Too many orders of this account have no end yet, so nothing was done. /orders shows them.
order-stop-tap = I stop after the one that is under way.
order-stopped-tap = Stopped. Nothing more of it begins.
order-over-tap = It is over already.
order-gone = You are no longer a member of the account of this order. Nothing more of it was redeemed.
order-no-login = ⚠️ There is no login of this one: its receipt says what to do.
order-logins =
    { $players ->
        [1] <b>Logins</b> of <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] <b>Logins</b> of { $players } players
    }

# /orders
command-orders = Orders of several codes: cancel, resume
orders-none = There are no orders of several codes yet. A player ID and several amounts make one: <code>5124780131 60 x2</code>
orders-title = <b>Orders of several codes</b>: those that go on, then the latest
orders-line = <b>{ $name }</b>, ID <code>{ $player }</code>: { $done } of { $all } · { $state }
orders-button = { $player } · { $done }/{ $all }
orders-one = <b>Order</b> for <b>{ $name }</b>, ID <code>{ $player }</code>, { $game }: { $done } of { $all }
orders-is = It is: <b>{ $state }</b>
orders-is-stopping = It is: <b>{ $state }</b>. Nothing more of it begins.
orders-by = Ordered { $when } by { $who }
orders-reference = Reference: <code>{ $reference }</code>
orders-deadline = Nothing begins after { $when }
orders-cancel = Cancel the order
orders-resume = Resume the order
orders-gone = That order is not there, or not yours to see.
orders-state-running = under way
orders-state-stock = waits for codes
orders-state-quota = waits for quota
orders-state-subscription = waits for a subscription
orders-state-platform = waits for the platform
orders-state-doubt = waits, one is in doubt
orders-state-done = done
orders-state-stopped = stopped
orders-state-cancelled = cancelled
