# /stats и слова на её картинке.

command-stats = Активации по дням и номиналам, картинкой

stats-days-wrong = Укажите число дней от 1 до { $most }, например /stats 30.
stats-title =
    { $days ->
        [1] <b>Сегодня</b> (UTC)
        [one] <b>Последний { $days } день</b> (UTC)
        [few] <b>Последние { $days } дня</b> (UTC)
       *[other] <b>Последние { $days } дней</b> (UTC)
    }
stats-total = ✅ активировано: <b>{ $redeemed }</b> · ❌ ошибок: <b>{ $failed }</b>
stats-open = ⏳ выполняется или под вопросом: { $open }
stats-none = За это время ничего не активировано.
stats-by-amount = <b>По номиналам</b>
stats-by-day = <b>По дням</b>
stats-line = { $what }: ✅ { $redeemed } · ❌ { $failed }
stats-others = прочие
stats-picture-by-day = По дням (UTC)
stats-picture-by-amount = По номиналам
stats-picture-redeemed = Активировано: { $count }
stats-picture-failed = Ошибок: { $count }
