# The talking itself: conversations that ended without an answer, and leafing through lists.

conversation-idle = That took more than 30 minutes, so I cancelled it. Nothing was done. Please begin again.
conversation-changed = I was updated meanwhile and had to cancel what you had begun. Nothing was done. Please begin again.
cancel-nothing = There is nothing to cancel. /help shows what I can do.
cancel-cards = { $count ->
        [one] I took back what I asked above: its buttons do nothing any more.
       *[other] I took back the { $count } questions above: their buttons do nothing any more.
    }
button-words =
    start: start, menu, home, main menu
    help: help, commands
    cancel: cancel, stop
    redeem: redeem
    stock: stock
    add_codes: add codes, add, add code
    history: history
    history today: today
    history yesterday: yesterday
    find: find, search, receipt, find a receipt
    quota: quota, balance, limit
    stats: statistics, stats
    members: members, team
    settings: settings, language
    accounts: accounts
    health: health

page-previous = ‹ Previous
page-next = Next ›
button-back = ‹ Back
