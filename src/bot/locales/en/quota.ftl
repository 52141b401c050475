# /quota

command-quota = What is used and left of the quota

quota-title = <b>Daily quota</b>
quota-daily = Used { $used } of { $limit }, left { $left }
quota-all-free = Nothing was used in the last 24 hours.
quota-next = The next one comes back in { $time }.
quota-minutes = { $minutes } min
quota-hours = { $hours } h { $minutes } min
quota-purchased = Purchased activations left: { $purchased }
quota-subscription =
    { $days ->
        [one] Subscription until { $when }, 1 day left
       *[other] Subscription until { $when }, { $days } days left
    }
quota-subscription-ended = The subscription ended on { $when }. Renew it with /subscribe.
quota-subscription-ended-ask = The subscription ended on { $when }. Ask the owner of the account to renew it.
quota-subscription-none = There is no subscription yet. Get one with /subscribe.
quota-subscription-none-ask = There is no subscription yet. Ask the owner of the account to get one.
quota-buy = More activations: /buy_activations
