# What whoever hosts the service does: /accounts, /grant, /refund, /health.

command-accounts = Every account
command-grant = Give an account days of subscription
command-refund = Send a payment back
command-health = How the service is

host-accounts = <b>Accounts</b>
host-accounts-none = There is no account yet.
host-account = <b>{ $id }</b> · { $account }, subscription until: { $until }
host-account-facts =
    Owner: { $person }. Members: { NUMBER($count, useGrouping: 0) }. Purchased activations: { $purchased }.
host-no-subscription = none
host-no-account = There is no such account. /accounts shows them all.

host-button-days =
    { $days ->
        [one] { NUMBER($days, useGrouping: 0) } day
       *[other] { NUMBER($days, useGrouping: 0) } days
    }
host-button-accounts = Accounts

host-grant-choose = Which account gets the days? Choose an account, or send /grant with its number or @name and the days: /grant 5 30
host-grant-days = The number of days must be whole, from 1 to { $most }.
host-ask-grant =
    Give this account { $days ->
        [one] { NUMBER($days, useGrouping: 0) } day
       *[other] { NUMBER($days, useGrouping: 0) } days
    } of subscription?
host-granted =
    Done: { $account } has { $days ->
        [one] { NUMBER($days, useGrouping: 0) } day
       *[other] { NUMBER($days, useGrouping: 0) } days
    } more. The subscription lasts until { $until }.
granted =
    The service administrator gave your account { $days ->
        [one] { NUMBER($days, useGrouping: 0) } day
       *[other] { NUMBER($days, useGrouping: 0) } days
    } of subscription. It lasts until <b>{ $until }</b>.

host-refund-usage = Send the command with the number of the payment: /refund &lt;number&gt;
host-refund-unknown = I know no payment of this number.
host-refund-already = This payment was sent back before. I did nothing this time.
host-ask-refund =
    Send { $price } back to the person { $payer }, who paid for { $account }?
    Activations that are not spent, or the days, are taken back.
    Payment: <code>{ $number }</code>
host-ask-refund-booked =
    Book { $price } of the person { $payer }, who paid for { $account }, as sent back?
    I cannot move this money: send it back in the payment provider's own pages. Here unspent activations, or the days, are taken back.
    Payment: <code>{ $number }</code>
host-refunded =
    Done: { $price } is back. Taken back: { $count ->
        [one] { NUMBER($count, useGrouping: 0) } activation
       *[other] { NUMBER($count, useGrouping: 0) } activations
    }. Purchased activations left: { $balance }.
host-refunded-plain = Done: { $price } is back. It had never been booked, so nothing was taken back.
host-refund-refused = Telegram did not send the Stars back, and nothing was booked. Look at the payment in Telegram, then try /refund again.
host-refund-unsure = Telegram did not answer, so I booked nothing. Send /refund again in a minute: it cannot pay twice.

host-reachable = reachable
host-sandbox = the sandbox (for trying, nothing reaches a game)
host-unreachable = not reachable
host-health =
    <b>Service</b>
    Telegram: { $telegram }
    Platform: { $platform }
    Redemptions running: { $pending }, in doubt: { $inDoubt }
    Updates waiting: { $inbox }, set aside in two days: { $setAside }; messages waiting: { $outbox }
    Running for: { $uptime }
    Version: { $version }

host-telegram-starting = nothing heard yet, since { $since }
host-telegram-reachable = reachable since { $since }
host-telegram-unreachable = not reachable since { $since }
host-telegram-revoked = refuses the token since { $since }

host-uptime-fresh = less than a minute
host-uptime-minutes = { $minutes } min
host-uptime-hours = { $hours } h { $minutes } min
host-uptime-days = { $days } d { $hours } h

host-button-owner = Invite its owner
host-has-owner = This account has an owner already.
host-owner-link =
    Invitation to own { $account }:
    { $link }

    Send it to one person. It works for one person and for 24 hours.

host-strangers =
    { $count ->
        [one] 💫 There is a payment that belongs to no order of mine. Nothing was credited for it.
       *[other] 💫 There are { $count } payments that belong to no order of mine. Nothing was credited for them.
    }
host-stranger = { $number }. { $price } · { $payer } ({ $id }) · { $when }
host-stranger-refund = Refund { $number }: { $price }

host-webhook-refused =
    ⚠️ Telegram refuses the webhook at { $address }: { $reason }
    No message reaches me until it takes one. Set <code>WEBHOOK_URL</code> to an https address at port 443, 80, 88 or 8443 that Telegram can reach, or leave it out, and start the service again.
