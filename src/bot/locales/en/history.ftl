# /history, /find: lists of redemptions.

command-history = What was redeemed, newest first
command-find = Find a receipt by player, name or code

past-line = { $mark } { $when } · <b>{ $what }</b> · { $player }{ $code } · /receipt_{ $id }
past-amount-unknown = amount not known
past-legend = ✅ redeemed · ⚠️ redeemed, receipt incomplete · ❌ failed · ❔ in doubt · ⏳ under way
past-newer = ← Newer
past-older = Older →

history-title = <b>History</b>, page { $page }. Times are UTC.
history-empty = Nothing was redeemed yet. The first redemption will stand here.
history-no-page = There is no page { $page }. /history shows the newest.
history-page-wrong = A page is a number from 1, such as /history 2.

find-ask = What shall I look for? Send me a player ID, a part of the player’s name, a code or its last 6 characters, or a receipt number.
find-need-text = Please send it as a text. /cancel leaves the search.
find-title =
    { $count ->
        [one] <b>Found 1 redemption.</b> Times are UTC.
       *[other] <b>Found { $count } redemptions</b>, page { $page } of { $pages }. Times are UTC.
    }
find-more = There may be more, older ones: a player ID or a code finds them.
find-nothing = Nothing found. I look for a player ID, a part of the player’s name, a code or its last 6 characters (big and small letters matter in codes), or a receipt number. /find asks again.
