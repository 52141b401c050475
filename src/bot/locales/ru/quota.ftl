# /quota, /buy_activations, /subscribe и платежи. Заголовок счёта — до 32 знаков, описание — до 255.

command-quota = Сколько квоты использовано и осталось
command-buy-activations = Купить активации сверх дневной квоты
command-subscribe = Купить или продлить подписку
command-paysupport = Вопросы об оплате
command-terms = Что здесь продаётся и на каких условиях

quota-title = <b>Дневная квота</b>
quota-daily = Использовано { $used } из { $limit }, осталось { $left }
quota-all-free = За последние 24 часа ничего не использовано.
quota-next = Следующая активация вернётся через { $time }, { $day ->
        [today] в { $at }
       *[tomorrow] завтра в { $at }
    }.
quota-minutes = { $minutes } мин
quota-hours = { $hours } ч { $minutes } мин
quota-costs = Активация кода стоит { $redeem }, имя игрока по ID — { $name }.
quota-purchased = Осталось купленных активаций: { $purchased }
quota-subscription =
    { $days ->
        [one] Подписка до { $when }, остался { $days } день
        [few] Подписка до { $when }, осталось { $days } дня
       *[other] Подписка до { $when }, осталось { $days } дней
    }
quota-subscription-ended =
    Подписка закончилась { $when }. { $isSold ->
        [yes] Продлите её: /subscribe.
       *[no] Чтобы продлить её, { $hasContact ->
            [yes] напишите: { $contact }.
           *[no] обратитесь к администратору сервиса.
        }
    }
quota-subscription-ended-ask = Подписка закончилась { $when }. Попросите владельца аккаунта продлить её.
quota-subscription-none =
    Подписки пока нет. { $isSold ->
        [yes] 30 дней стоят { $subscriptionPrice }, оформить: /subscribe
       *[no] Чтобы её оформить, { $hasContact ->
            [yes] напишите: { $contact }.
           *[no] обратитесь к администратору сервиса.
        }
    }
quota-subscription-none-ask = Подписки пока нет. Попросите владельца аккаунта её оформить.
quota-buy = Больше активаций: /buy_activations

button-buy = Купить активации
button-subscribe-first = Оформить подписку
button-subscribe = Продлить подписку

redeem-quota = Активации закончились. Следующая вернётся через { $hours ->
        [0] { $minutes } мин
       *[other] { $hours } ч { $minutes } мин
    }. Подробнее: /quota.
payment-required-ask-owner = Попросите об этом владельца или администратора аккаунта.

goods-activations =
    { $count ->
        [one] { $count } активация
        [few] { $count } активации
       *[other] { $count } активаций
    }
goods-subscription =
    Подписка на { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }
invoice-activations = Для аккаунта { $account }. Расходуются, когда дневная квота исчерпана; не сгорают.
invoice-needs-subscription = Для них нужна подписка, сейчас её нет.
invoice-subscription = Для аккаунта { $account }. Дни прибавятся к тому, что осталось от подписки.

buy-needs-subscription = ⚠️ Для активаций нужна подписка: без неё ими нельзя воспользоваться. Сами они не сгорают.
buy-choose = Активации для аккаунта { $account }. Сколько? Другое число тысяч (до { $most }) отправьте вместе с командой: /buy_activations 3
buy-chosen = Вот счёт ({ $goods }):
buy-amount = Активации продаются тысячами: отправьте целое число тысяч от 1 до { $most }.
buy-too-many-stars = Это { $stars } звёзд, а в одном счёте может быть не больше { $most }. Купите, пожалуйста, частями: /buy_activations
buy-refused = Telegram не принял этот счёт. Ничего не оплачено. Попробуйте меньшее количество или напишите администратору сервиса.

subscribe-not-sold =
    Подписка здесь не продаётся. Чтобы продлить её, { $hasContact ->
        [yes] напишите: { $contact }.
       *[no] обратитесь к администратору сервиса.
    }
subscribe-first-not-sold =
    Подписки пока нет, и здесь она не продаётся. Чтобы её оформить, { $hasContact ->
        [yes] напишите: { $contact }.
       *[no] обратитесь к администратору сервиса.
    }
subscribe-host = Написать администратору ({ $number })

checkout-old = Этот счёт устарел. Ничего не оплачено. Новый счёт: /buy_activations или /subscribe.
checkout-not-yours = Этот счёт выставлен другому аккаунту. Ничего не оплачено. Ваш собственный счёт: /buy_activations или /subscribe.
checkout-role = Вашей роли не разрешены покупки для этого аккаунта. Ничего не оплачено. Обратитесь к владельцу аккаунта.
checkout-price = Цена изменилась. Ничего не оплачено. Новый счёт: /buy_activations или /subscribe.
checkout-later = У меня ошибка. Ничего не оплачено. Попробуйте через минуту.

paid-activations =
    Спасибо! Оплачено для аккаунта { $account }: { $count ->
        [one] { $count } активация
        [few] { $count } активации
       *[other] { $count } активаций
    }.
    Купленных активаций теперь: <b>{ $balance }</b>. { $subscription ->
        [active] Подписка до: { $until }.
        [ended] Подписка закончилась { $until }.
       *[none] Подписки нет.
    }
    Платёж № { $number }
paid-subscription =
    Спасибо! Оплачено для аккаунта { $account }: подписка на { $count ->
        [one] { $count } день
        [few] { $count } дня
       *[other] { $count } дней
    }.
    Она действует до: <b>{ $until }</b>. Купленных активаций: { $balance }.
    Платёж № { $number }
paid-unbooked =
    Платёж { $price } получен, но я не смог понять, за что он. Он не потеряется: администратор сервиса уже знает и зачтёт его или вернёт.
    Номер платежа: { $reference }
paid-unbooked-alone =
    Платёж { $price } получен, но я не смог понять, за что он. Он не потеряется: покажите этот номер администратору сервиса.
    Номер платежа: { $reference }

refunded =
    Платёж { $price } возвращён.{ $count ->
        [0] {""}
        [one] {" "}Списана { $count } активация.
        [few] {" "}Списано: { $count } активации.
        [many] {" "}Списано: { $count } активаций.
       *[other] {" "}Списано: { $count } активации.
    }
    Купленных активаций теперь: <b>{ $balance }</b>. { $subscription ->
        [active] Подписка до: { $until }.
        [ended] Подписка закончилась { $until }.
       *[none] Подписки нет.
    }
refunded-plain = Платёж { $price } возвращён.

paysupport =
    <b>Вопросы об оплате</b>
    { $hasContact ->
        [yes] Напишите: { $contact } — и укажите номер платежа.
       *[no] Обратитесь к администратору сервиса и укажите номер платежа.
    } Деньги за неизрасходованное можно вернуть.
    Поддержка Telegram с покупками в этом боте помочь не может.
paysupport-sent-back = возвращён
paysupport-last = Последние платежи вашего аккаунта:
terms =
    <b>Условия</b>
    • С подпиской аккаунт может активировать коды и искать игроков: 300 активаций за любые 24 часа.{ $isSold ->
        [yes] { " " }30 дней стоят { $subscriptionPrice }.
       *[no] { "" }
    }
    • Купленные активации расходуются, когда дневные закончились. Для них нужна подписка; они не сгорают.
    • Если исход активации неизвестен, я спрашиваю платформу, пока он не станет ясен.
    • Возврат денег: /paysupport
    { $hasContact ->
        [yes] Вопросы: { $contact }
       *[no] На вопросы отвечает администратор сервиса.
    }
