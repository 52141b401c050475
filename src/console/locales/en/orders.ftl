# Orders.
menu-orders = Orders
orders-title = Orders
orders-none = Nothing was ordered yet.
orders-order = Order
orders-at = Time
orders-state = State
orders-player = Player ID
orders-progress = Codes
orders-amount = Redeemed
orders-reference = Reference
orders-game = Game
orders-from = From
orders-to = To
order-title = Order { $name }
order-deadline = Not after
order-ended = Ended
order-run = Begun, times
order-codes = Its codes
order-n = No.
order-cancel = Cancel
order-resume = Resume
order-state-running = Running
order-state-waiting = Waiting
order-state-done = Done
order-state-stopped = Stopped
order-state-cancelled = Cancelled
order-waits-stock = for codes
order-waits-quota = for quota
order-waits-subscription = for the subscription
order-waits-platform = for the platform
order-waits-doubt = for a doubt to end
order-item-waiting = Waiting
order-item-running = Under way
order-item-inDoubt = In doubt
order-item-redeemed = Redeemed
order-item-failed = Failed
order-item-missing = Missing
order-reason-DOUBT = something in doubt
order-reason-ITEMS_FAILED = given codes failed
order-reason-CODE_USED = a code was used already
order-reason-INVALID_CODE = a code was none
order-reason-CHARACTER_NOT_FOUND = player not found
order-reason-RISK_CONTROL = refused by risk control
order-reason-NO_ACCOUNTS_AVAILABLE = platform had no account free
order-reason-LOGIN_FAILED = platform login failed
order-reason-NETWORK_ERROR = platform not reached
order-reason-NOT_ENOUGH_STOCK = not enough codes
order-reason-QUOTA_EXCEEDED = quota used up
order-reason-SUBSCRIPTION_EXPIRED = no subscription
order-reason-DEADLINE = its time was over
order-reason-KEY_REVOKED = its key was revoked
order-reason-FORBIDDEN = who ordered may not redeem any more
order-reason-RESTORED = a backup was restored
said-order-cancelled = Nothing more of this order begins.
said-order-resumed = What is missing is begun once more.
order-another = Another ID
another-hint = The ID of the other player; the platform is asked for the name first.
another-look = Look the player up
another-what = What is missing: { $what }. It is ordered anew, for another player.
another-sure = { $what } for { $name } ({ $player })? It costs { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }.
another-sure-nameless = { $what } for { $player }? The platform tells no names. It costs { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }.
another-again = This player has just got { $what }, or has it under way.
another-order = Redeem
said-order-placed = It is ordered.
problem-another-notFound = There is no player with this ID in this game. Check the digits.
problem-another-unreachable = The platform could not be reached. Try again in a minute.
problem-another-quotaExceeded = The quota is used up.
problem-another-tooManyBadRequests = Too many IDs that are none. Try again in a minute.
problem-another-tooManyOrders = Too many orders are open. Wait until some have ended.
problem-another-notEnoughStock = There are not enough codes for this. Add codes first.
problem-another-noComposition = There are not enough codes for this. Add codes first.
