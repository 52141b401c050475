# /quota

command-quota = Сколько квоты использовано и осталось

quota-title = <b>Дневная квота</b>
quota-daily = Использовано { $used } из { $limit }, осталось { $left }
quota-all-free = За последние 24 часа ничего не использовано.
quota-next = Следующая активация вернётся через { $time }.
quota-minutes = { $minutes } мин
quota-hours = { $hours } ч { $minutes } мин
quota-purchased = Осталось купленных активаций: { $purchased }
quota-subscription =
    { $days ->
        [one] Подписка до { $when }, остался { $days } день
        [few] Подписка до { $when }, осталось { $days } дня
       *[other] Подписка до { $when }, осталось { $days } дней
    }
quota-subscription-ended = Подписка закончилась { $when }. Продлите её: /subscribe.
quota-subscription-ended-ask = Подписка закончилась { $when }. Попросите владельца аккаунта продлить её.
quota-subscription-none = Подписки пока нет. Оформите её: /subscribe.
quota-subscription-none-ask = Подписки пока нет. Попросите владельца аккаунта её оформить.
quota-buy = Больше активаций: /buy_activations
