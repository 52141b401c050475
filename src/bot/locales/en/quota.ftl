# /quota, /buy_activations, /subscribe and payments. Titles of invoices have 32 characters at most, descriptions 255.

command-quota = What is used and left of the quota
command-buy-activations = Buy activations beside the daily quota
command-subscribe = Buy or extend the subscription
command-paysupport = Whom to write to about a payment
command-terms = What is sold here, and on which terms

quota-title = <b>Daily quota</b>
quota-daily = Used { $used } of { $limit }, left { $left }
quota-all-free = Nothing was used in the last 24 hours.
quota-next = The next one comes back in { $time }, { $day ->
        [today] at { $at }
       *[tomorrow] tomorrow at { $at }
    }.
quota-minutes = { $minutes } min
quota-hours = { $hours } h { $minutes } min
quota-costs = A redemption costs { $redeem }, looking up the name of a player ID { $name }.
quota-purchased = Purchased activations left: { $purchased }
quota-subscription =
    { $days ->
        [one] Subscription until { $when }, 1 day left
       *[other] Subscription until { $when }, { $days } days left
    }
quota-subscription-ended =
    The subscription ended on { $when }. { $isSold ->
        [yes] Renew it with /subscribe.
       *[no] To renew it, { $hasContact ->
            [yes] write to { $contact }.
           *[no] ask the service administrator.
        }
    }
quota-subscription-ended-ask = The subscription ended on { $when }. Ask the owner of the account to renew it.
quota-subscription-none =
    There is no subscription yet. { $isSold ->
        [yes] It costs { $subscriptionPrice } for 30 days: /subscribe
       *[no] To get one, { $hasContact ->
            [yes] write to { $contact }.
           *[no] ask the service administrator.
        }
    }
quota-subscription-none-ask = There is no subscription yet. Ask the owner of the account to get one.
quota-buy = More activations: /buy_activations

button-buy = Buy activations
button-subscribe-first = Get a subscription
button-subscribe = Renew the subscription

redeem-quota = The activations are used up. The next one comes back in { $hours ->
        [0] { $minutes } min
       *[other] { $hours } h { $minutes } min
    }. See /quota.
payment-required-ask-owner = Ask the owner or an admin of the account for it.

goods-activations =
    { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }
goods-subscription =
    Subscription, { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
invoice-activations = For { $account }. Used when the daily quota is used up; they do not expire.
invoice-needs-subscription = They need a subscription, and there is none now.
invoice-subscription = For { $account }. The days are added to what is left of the subscription.

buy-needs-subscription = ⚠️ Activations need a subscription: without one they cannot be used. They do not expire meanwhile.
buy-choose = Activations for { $account }. How many? For another number of thousands (up to { $most }) send it with the command: /buy_activations 3
buy-chosen = The invoice for { $goods }:
buy-amount = Activations are sold by the thousand: send a whole number of thousands from 1 to { $most }.
buy-too-many-stars = That would be { $stars } Stars, and one invoice takes { $most } at most. Please buy in smaller parts: /buy_activations
buy-refused = Telegram did not accept this invoice. Nothing was paid. Please try a smaller amount, or tell the service administrator.

subscribe-not-sold =
    The subscription is not sold here. To extend it, { $hasContact ->
        [yes] write to { $contact }.
       *[no] ask the service administrator.
    }
subscribe-first-not-sold =
    There is no subscription yet, and it is not sold here. To get one, { $hasContact ->
        [yes] write to { $contact }.
       *[no] ask the service administrator.
    }
subscribe-host = Write to the service administrator ({ $number })

checkout-old = This invoice is too old. Nothing was paid. Get a new one with /buy_activations or /subscribe.
checkout-not-yours = This invoice belongs to another account. Nothing was paid. Get your own with /buy_activations or /subscribe.
checkout-role = Your role may not buy for this account. Nothing was paid. Ask the owner of the account.
checkout-price = The price has changed. Nothing was paid. Get a new invoice with /buy_activations or /subscribe.
checkout-later = Something went wrong on my side. Nothing was paid. Please try again in a minute.

paid-activations =
    Thank you! Paid for { $account }: { $count ->
        [one] { $count } activation
       *[other] { $count } activations
    }.
    Purchased activations now: <b>{ $balance }</b>. { $subscription ->
        [active] Subscription until: { $until }.
        [ended] The subscription ended on { $until }.
       *[none] There is no subscription.
    }
    Payment { $number }
paid-subscription =
    Thank you! Paid for { $account }: { $count ->
        [one] { $count } day
       *[other] { $count } days
    } of subscription.
    It lasts until <b>{ $until }</b>. Purchased activations: { $balance }.
    Payment { $number }
paid-unbooked =
    Your payment of { $price } has arrived, but I could not tell what it is for. It is not lost: the service administrator has been told and will book it or send it back.
    Number of the payment: { $reference }
paid-unbooked-alone =
    Your payment of { $price } has arrived, but I could not tell what it is for. It is not lost: please show this number to the service administrator.
    Number of the payment: { $reference }

refunded =
    Your payment of { $price } was sent back.{ $count ->
        [0] {""}
        [one] {" "}Taken back: { $count } activation.
       *[other] {" "}Taken back: { $count } activations.
    }
    Purchased activations now: <b>{ $balance }</b>. { $subscription ->
        [active] Subscription until: { $until }.
        [ended] The subscription ended on { $until }.
       *[none] There is no subscription.
    }
refunded-plain = Your payment of { $price } was sent back.

paysupport =
    <b>Questions about a payment</b>
    { $hasContact ->
        [yes] Write to { $contact } and name the number of the payment.
       *[no] Please ask the service administrator and name the number of the payment.
    } What is not spent can be sent back.
    Telegram’s own support cannot help with what was bought here.
paysupport-sent-back = sent back
paysupport-last = The last payments of your account:
terms =
    <b>Terms</b>
    • A subscription lets an account redeem and look players up: 300 activations in any 24 hours.{ $isSold ->
        [yes] { " " }30 days cost { $subscriptionPrice }.
       *[no] { "" }
    }
    • Purchased activations are used when the daily ones are used up. They need a subscription and do not expire.
    • Where the end of a redemption is not known, I ask the platform until it is certain.
    • Refunds: /paysupport
    { $hasContact ->
        [yes] Questions: { $contact }
       *[no] Questions are answered by the service administrator.
    }
