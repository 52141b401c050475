# Receipts, and the story of one.
menu-receipts = Receipts
receipts-title = Receipts
receipts-none = Nothing was redeemed yet.
receipts-id = Receipt
receipts-at = Time
receipts-state = Outcome
receipts-player = Player ID
receipts-name = Name
receipts-amount = Amount
receipts-game = Game
receipts-code = Code
receipts-by = By
receipts-from = From
receipts-to = To
receipts-key = Key no.
receipts-batch = Batch
receipts-person = Telegram ID
receipts-error = Error
state-redeemed = Redeemed
state-failed = Failed
state-open = Open
state-in_doubt = In doubt
state-pending = Under way
person-former = former member { $id }
person-key = key { $key }
person-host = service administrator
person-claim = a claim link { $claim }
person-lost = lost in a restore
error-NO_CODES_AVAILABLE = No codes in stock
error-CHARACTER_NOT_FOUND = Player not found
error-INVALID_CODE = Not a code
error-CODE_USED = Code already used
error-NO_ACCOUNTS_AVAILABLE = Platform had no account free
error-LOGIN_FAILED = Platform login failed
error-RISK_CONTROL = Refused by risk control
error-NETWORK_ERROR = Platform not reached
error-INVALID_ACTIVATION_RESPONSE = Answer could not be read
error-UNKNOWN = Not known
receipt-title = Receipt { $id }
receipt-player = Player
receipt-region = Region
receipt-code-now = The code is
receipt-code-none = none was taken
receipt-code-held = held until the truth is known
receipt-code-spent = spent for this receipt
receipt-code-back = back in the stock
receipt-code-untouched = not spent; with whoever sent it
receipt-code-used = used elsewhere
receipt-code-invalid = no code in truth
receipt-code-elsewhere = in another redemption that is open
receipt-show = Show code and login
receipt-uid = Account ID
receipt-email = Login
receipt-password = Password
story-title = What happened
story-begun = Asked for by { $who }
story-door-chat = in the chat
story-door-program = by a program
story-order = order { $name }
story-code-taken = Code taken from
story-batch = batch { $id }
story-charged = { $count ->
        [1] Charged: 1 activation
       *[other] Charged: { $count } of an activation
    }
story-returned = { $count ->
        [1] Charge returned: 1 activation
       *[other] Charge returned: { $count } of an activation
    }
story-sent = Sent to the platform, attempt { $n }:
story-resent = Sent once more to learn what became of it, attempt { $n }:
story-attempt-open = under way
story-attempt-spent = the code is spent
story-attempt-not_spent = the code is not spent
story-attempt-unknown = no clear answer
story-took = after { $span }
story-proven-spent = Known now: attempt { $n } spent the code
story-proven-not = Known now: attempt { $n } did not spend the code
story-proof-answer = by the platform’s answer
story-proof-never_sent = it was never sent
story-proof-record = by the platform’s record of it
story-proof-lookup = by looking the code up
story-proof-resend = by sending it once more
story-proof-person = by the word of a person
story-looks = { $count ->
        [0] Not looked at yet.
        [one] Looked at once.
       *[other] Looked at { $count } times.
    }
story-held = Nobody can tell by itself: it waits for a person.
story-next-look = Next look:
story-looked = { $count ->
        [one] Looked at:
       *[other] Looked at { $count } times:
    }
story-until = the last time
story-said-underWay = the platform is still carrying it out
story-said-unreachable = nobody answered
story-said-notFinal = not redeemed so far, which may still change
story-said-receiptAwaited = redeemed; its receipt is not there yet
story-said-sentAgain = sent once more, without a clear answer
story-said-playerNotFound = redeemed, but its player is not found
story-said-playerUnreachable = redeemed; nobody could say for whom
story-said-held = nobody can tell: a person has to decide
story-said-failed = the look failed on our side
story-message = Message to { $who }:
story-message-group = Message to a group:
story-message-waiting = waiting to be sent
story-message-sent = sent
story-message-failed = not delivered
story-webhook = Webhook
story-webhook-waiting = waiting
story-webhook-delivered = delivered
story-webhook-failed = failed
story-webhook-tries = { $count ->
        [one] 1 attempt
       *[other] { $count } attempts
    }
story-act-credentialsShown = Code and login were shown to
story-act-customerReceiptMade = Receipt for the customer, made by
story-act-doubtDecided = The doubt was decided by
story-host = Upstream
story-host-upstream = Sent to
story-host-candidates = Could be sent to
story-host-reference = Our reference
story-host-witness = Looked up at
story-host-httpStatus = HTTP status
story-host-message = Message
story-host-theirId = Their number
story-host-cost = Cost
