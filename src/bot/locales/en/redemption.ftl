# /redeem: from the first question to the last confirmation. How a redemption goes on is in receipts.ftl.

command-redeem = Redeem a code for a player

button-redeem = Redeem
button-thats-the-one = Yes, that's the one
button-send-code = Send a code instead

redeem-game = Which game?
redeem-player = Send the player ID: 5 to 20 digits, as the game shows it.
redeem-player-or-known = Send the player ID, or pick one of your last players.
redeem-player-form = That is not a player ID. It has 5 to 20 digits and nothing else.
redeem-player-unknown = There is no player with this ID in this game. Check the digits.
redeem-unreachable = The game does not tell me the name right now. Nothing was charged. Try again in a moment.
redeem-is-it = Is it <b>{ $name }</b>, ID { $player }?
redeem-what = What shall I redeem?
redeem-denomination = { $what } · { $count } left
redeem-stock-empty = There are no codes left in the stock. Add some with /add_codes, or send me a code to redeem.
redeem-none-left = There is no code of { $what } left.
redeem-code = Send the code for { $game }.
redeem-code-form = That is not a code for { $game }. Check it and send it again; or pick one of the buttons.
redeem-usage =
    Send /redeem and I ask for the rest, or all at once:
    /redeem 5170925570 60
    That is the player ID, then the denomination or a code.

redeem-confirm =
    <b>Redeem this?</b>
    Game: { $game }
    Player: <b>{ $name }</b>, ID { $player }
redeem-confirm-stock = Redeemed: { $what } from the stock
redeem-confirm-code = Redeemed: the code <tg-spoiler>{ $code }</tg-spoiler>
redeem-confirm-cost = Cost: 1 activation
redeem-cancelled = Left. Nothing was redeemed.
redeem-refused-too-often = Too many orders of your account could not be carried out in the last minute. Nothing was charged. Please try again in { $seconds } s.

redeem-gone = You are no longer a member of the account of redemption { $id }, so I cannot show you how it ended.
