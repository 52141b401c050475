# For the service administrator: /accounts, /payments, /grant, /refund, /health.

command-accounts = Accounts, and search among them
command-payments = Payments, and sending them back
command-grant = Give an account days of subscription
command-refund = Send a payment back
command-health = How the service is

host-accounts = <b>Accounts</b>
host-accounts-none = There is no account yet.

host-account = <b>{ $id }</b> · { $account }, subscription: { $subscription }
host-account-facts =
    Owner: { $person }. Members: { $count }. Purchased activations: { $purchased }.
host-subscription-none = none yet
host-subscription-until = until { $day }
host-subscription-ended = ended on { $day }
host-account-paused = paused
host-account-closed = account closed
host-no-account = There is no such account. /accounts shows them all.
host-accounts-hint = To search, send /accounts with a name, an @name or a number.
host-found =
    { $count ->
        [one] <b>1 account found</b>
       *[other] <b>{ $count } accounts found</b>, page { $page } of { $pages }
    }
host-found-more = There are more: say more of the name.
host-found-none = No account matches “{ $text }”. Try a part of its name or of its owner’s, an @name or a number.
host-more = … and { $count } more

host-card =
    <b>Account { $id }</b> · { $account }
    Open since { $opened }
    Subscription: { $subscription }
host-card-use =
    Used in 24 hours: { $used } of { $limit } activations
    Purchased activations: { $purchased } left of { $bought }
host-card-doubts = In doubt: { $count }
host-card-people =
    { $count ->
        [one] One person:
       *[other] { $count } people:
    }
host-card-person = { $person }, { $role }
host-card-nobody = Nobody is in it yet.

host-button-new = New account
host-button-open-card = Show the account
host-button-open-it = Open the account
host-button-grant-days = Grant days
host-button-grant-activations = Grant activations
host-button-pause = Pause
host-button-resume = Resume
host-button-close = Close
host-button-reopen = Open again
host-button-payments = Payments
host-button-doubts = In doubt: { $count }
host-button-ask-now = Ask now
host-button-look-again = Look again

host-new-name = What shall the new account be called? Send me the name of the shop.
host-new-name-again = A name has 1 to { $most } characters. Please send another one.
host-ask-new =
    Open an account called { $account }{ $days ->
        [0] {""}
        [one] {" "}with { $days } day of subscription
       *[other] {" "}with { $days } days of subscription
    }? You get a link that makes somebody its owner.
host-opened = Done: the account { $account } is open. Its number is { $id }.


host-ask-pause = Pause this account? It redeems nothing, looks nobody up and takes no codes out until you resume it. What is in doubt goes on to its end.
host-ask-resume = Let this account go on?
host-ask-close = Close this account? Its keys, its people and its subscription end now. For 30 days you can open it again.
host-ask-reopen = Open this account again, with the keys, people and subscription that it had?
host-pause-done = Done: { $account } is paused.
host-resume-done = Done: { $account } goes on.
host-close-done = Done: { $account } is closed. For 30 days its card can open it again.
host-reopen-done = Done: { $account } is open again.
host-suspend-unchanged = { $account } was so already. Nothing was done.
account-pause = The service administrator has paused your account: nothing is redeemed, looked up or taken out. What is in doubt goes on to its end.
account-resume = The service administrator lets your account go on.
account-close = The service administrator has closed your account: its keys, its people and its subscription have ended.
account-reopen = The service administrator has opened your account again.

host-asked =
    { $count ->
        [one] The platform is being asked about one redemption in doubt. Whoever redeemed is told how it ended.
       *[other] The platform is being asked about { $count } redemptions in doubt. Whoever redeemed is told how they ended.
    }
host-asked-none = There was nothing to ask: the platform is being asked already.
host-just-asked = The platform was asked a moment ago. Please wait a minute.

host-payments = <b>Payments</b>
host-payments-of = <b>Payments of { $account }</b>
host-payments-none = There is none yet.
host-payment =
    <b>{ $number }</b> · { $price } · { $goods }
    { $when }, account { $id } · { $account }
host-payment-adjustment = gift
host-payment-by = Paid by { $person }
host-payment-spent = Spent: { $spent } of { $all }
host-payment-spent-days = Days gone: { $spent } of { $all }
host-payment-refunded = Sent back on { $when }
host-refund-takes = Not spent, and taken back: { $left } of { $all } activations.
host-refund-takes-days = Still to come, and taken back: { $left } of { $all } days.

host-grant-several = More than one account fits “{ $text }”. Send its number or the @name of somebody in it; /accounts { $text } shows them.
host-grant-two-names = More than one person was last seen as { $who }, so that name does not tell whom you mean. Which account?
host-grant-how-many-days = How many days of subscription?
host-grant-how-many-activations = How many activations, beside the daily quota?
host-ask-grant-activations =
    Give this account { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }?
host-granted-activations =
    Done: { $account } has { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    } more.
granted-activations =
    The service administrator gave your account { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }. They are used when the daily quota is used up, and do not expire.

host-account-opened =
    🆕 A new account: { $id } · { $account }
    Opened by { $person }

host-button-days =
    { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
host-button-accounts = Accounts

host-grant-choose = Which account gets the days? Choose an account, or send /grant with its number or @name and the days: /grant 5 30
host-grant-days = The number of days must be whole, from 1 to { $most }.
host-ask-grant =
    Give this account { $days ->
        [one] { $days } day
       *[other] { $days } days
    } of subscription?
host-granted =
    Done: { $account } has { $days ->
        [one] { $days } day
       *[other] { $days } days
    } more. The subscription lasts until { $until }.
granted =
    The service administrator gave your account { $days ->
        [one] { $days } day
       *[other] { $days } days
    } of subscription. It lasts until <b>{ $until }</b>.

host-refund-usage = Send the command with the number of the payment: /refund 12
    /payments shows them all, each with a button.
host-refund-unknown = I know no payment of this number.
host-refund-already = This payment was sent back before. I did nothing this time.
host-ask-refund-booked =
    Book { $price } of { $payer }, who paid for { $account }, as sent back?
    I cannot move this money: send it back in the payment provider's own pages.
    Payment: { $number }<code>{ $charge }</code>
host-ask-refund-stars =
    Send { $price } back to { $payer }, who paid for { $account }?
    Payment: { $number }<code>{ $charge }</code>
host-ask-refund-adjustment = Take this gift of { $account } back?
host-button-refund-stars = Send { $price } back
host-button-refund-booked = Book as sent back
host-button-refund-adjustment = Take it back
host-button-adjustment-back = Take gift { $number } back
host-adjustment-back =
    Done: the gift is taken back.{ $count ->
        [0] {""}
        [one] {" "}{ $count } activation.
       *[other] {" "}{ $count } activations.
    } Purchased activations left: { $balance }.
host-payment-taken = taken back
host-button-give = Give { $what }
host-button-take = Take { $what } back
host-ask-take-days =
    Take { $days ->
        [one] { $days } day
       *[other] { $days } days
    } of subscription back? What is over already stays as it was.
host-nothing-to-take = { $account } has no days of subscription left. Nothing was done.
host-taken-days =
    Done: { $days ->
        [one] { $days } day
       *[other] { $days } days
    } taken back from { $account }. The subscription lasts until { $until }.
taken-days = The service administrator took days of subscription back that were a gift. It lasts until <b>{ $until }</b>.
taken-activations =
    The service administrator took { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    } back that were a gift.
host-refunded =
    Done: { $price } is back.{ $count ->
        [0] {""}
        [one] {" "}Taken back: { $count } activation.
       *[other] {" "}Taken back: { $count } activations.
    } Purchased activations left: { $balance }.
host-refunded-plain = Done: { $price } is back. It had never been booked, so nothing was taken back.
host-refund-other-bot = This was paid to @{ $bot }, and only that bot can send its Stars back. Nothing was booked. Set its token again to do it, or settle it with the payer by another way.
host-refund-refused = Telegram did not send the Stars back, and nothing was booked. Look at the payment in Telegram, then try /refund again.
host-refund-unsure = Telegram did not answer, so I booked nothing. Send /refund again in a minute: it cannot pay twice.
host-refund-cancelled-unsure =
    Cancelled, and nothing is booked. Telegram did not answer before, so the Stars may be back all the same.
    To be certain, send <code>/refund { $number }</code>: it cannot pay twice.

host-tasks-since = { $tasks } { $count }, since { $since }
host-tasks-answer = answers
host-tasks-result = results
host-tasks-notice = notices
host-tasks-announce = news
host-doubts-since = { $count }, the oldest since { $since }
host-doubts-held = { $doubts }; for you to look at: { $held }
host-clock-same = its clock agrees with ours
host-clock-ahead = its clock is { $amount } ahead of ours
host-clock-behind = its clock is { $amount } behind ours
host-seconds = { $seconds } s
host-platform-real = the real one
host-reachable = reachable
host-sandbox = the sandbox (for trying, nothing reaches a game)
host-unreachable = not reachable
host-backup-off = not made by the service (BACKUP_FOLDER is not set)
host-backup-none = none yet
host-health =
    <b>Service</b>
    Telegram: { $telegram }
    Platform: { $platform }
    Redemptions under way: { $pending }
    In doubt: { $doubts }
    Updates waiting: { $inbox }, set aside in two days: { $setAside }; to be said: { $tasks }
    Last backup: { $backup }
    Running for: { $uptime }
    Version: { $version }
host-health-alert = ⚠️ <code>{ $name }</code>{ $of } since { $since } (docs/at-night.md)

host-unproven = ⚠️ Nobody’s word that a code of { $games } is unspent counts: its codes from before the restore are sent last, and not handed out (docs/upstreams.md).

host-sweeps =
    { $count ->
        [one] After the restore { $count } stock waits until the platform has been asked about its codes: its first order has that done.
       *[other] After the restore { $count } stocks wait until the platform has been asked about their codes: the first order of each has that done.
    }
host-button-sell-unswept = Sell by verification alone
host-ask-sell-unswept =
    { $count ->
        [one] Sell { $count } stock by verification alone?
       *[other] Sell { $count } stocks by verification alone?
    }
    Each code is asked about when it is taken, and none before. That is for a day whose look-ups run out: an order from before the restore that is sent again may take a second code then.
host-sell-unswept-done =
    { $count ->
        [0] Nothing waits to be asked about any more.
        [one] Done: { $count } stock is sold by verification alone.
       *[other] Done: { $count } stocks are sold by verification alone.
    }

host-telegram-starting = nothing heard yet, since { $since }
host-telegram-reachable = reachable since { $since }
host-telegram-unreachable = not reachable since { $since }
host-telegram-revoked = refuses the token since { $since }
host-telegram-contested = another process fetches its updates since { $since }
host-telegram-failed = could not start, tried again since { $since }

host-uptime-fresh = less than a minute
host-uptime-minutes = { $minutes } min
host-uptime-hours = { $hours } h { $minutes } min
host-uptime-days = { $days } d { $hours } h

host-button-owner = Invite its owner
host-button-replace-owner = Another owner
host-warn-replace-owner =
    <b>Another owner for this account?</b>
    For where the owner is gone for good. Whoever opens the link becomes the owner of its codes, receipts and purchases, a day from now at the earliest; the owner of now is told at once, can stop it, and becomes an admin.
host-ask-replace-owner = Once more: make a link by which somebody else becomes the owner?
host-replace-nobody = This account has no owner. Its card has an invitation for one.
host-replace-link =
    Invitation to own { $account } in its owner’s place:
    { $link }

    Send it to one person. It works from { $opens } on, for 24 hours, unless the owner says that they are there. They have been told.
host-has-owner = This account has an owner already.
host-owner-link =
    Invitation to own { $account }:
    { $link }

    Send it to one person. It works for one person and for 24 hours.

host-unmatched-payments =
    { $count ->
        [one] 💫 There is a payment that belongs to no order of mine. Nothing was credited for it.
       *[other] 💫 There are { $count } payments that belong to no order of mine. Nothing was credited for them.
    }
host-unmatched-payment = { $number }. { $price } · { $payer } ({ $id }) · { $when }
host-unmatched-payment-refund = Refund { $number }: { $price }

host-webhook-refused =
    ⚠️ Telegram refuses the webhook at { $address }: { $reason }
    No message reaches me until it takes one. Set <code>WEBHOOK_URL</code> to an https address at port 443, 80, 88 or 8443 that Telegram can reach, or leave it out, and start the service again.

host-upstream = <b>{ $name }</b>: { $state }
host-upstream-usable = ✅ Orders are sent there.
host-upstream-failing = ⚠️ It fails, and there is no other: orders are sent there all the same.
host-upstream-resting = 💤 It rests since { $since }: it failed too often. One order tries it after { $until }.
host-upstream-paused = ⏸ Paused since { $since }. { $reason }
host-upstream-by-host = By a service administrator.
