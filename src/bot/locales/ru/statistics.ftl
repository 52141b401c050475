# /stats и слова на её картинке.

command-stats = Активации по дням и номиналам, картинкой

stats-days-wrong = Укажите число дней от 1 до { $most }, например /stats 30.
stats-title =
    { $days ->
        [1] <b>Сегодня</b> ({ $zone })
        [one] <b>Последний { $days } день</b> ({ $zone })
        [few] <b>Последние { $days } дня</b> ({ $zone })
       *[other] <b>Последние { $days } дней</b> ({ $zone })
    }
stats-total = ✅ активировано: <b>{ $redeemed }</b> · ❌ ошибок: <b>{ $failed }</b>
stats-open = ❔ под вопросом или в работе: { $open }
stats-none = За это время ничего не активировано.
stats-by-amount = <b>По номиналам</b>
stats-by-day = <b>По дням</b>
stats-line = { $what }: ✅ { $redeemed }{ $failed ->
        [0] {""}
       *[other] {" "}· ❌ { $failed }
    }{ $open ->
        [0] {""}
       *[other] {" "}· ❔ { $open }
    }
stats-by-supplier = <b>По поставщикам</b> (партии этих дней)
stats-supplier = { $supplier }: ✅ { $redeemed } · плохих { $bad } ({ $share } %)
stats-others = прочие
stats-share = Успешных: { $share } %
stats-settles = Что под вопросом, выяснится само. Список: /find под вопросом
stats-as-text = Цифры текстом
stats-picture-range =
    { $days ->
        [1] { $range } · сегодня ({ $zone })
        [one] { $range } · { $days } день ({ $zone })
        [few] { $range } · { $days } дня ({ $zone })
       *[other] { $range } · { $days } дней ({ $zone })
    }
stats-picture-by-day = По дням
stats-picture-by-amount = По номиналам
stats-picture-redeemed = Активировано
stats-picture-failed = Ошибки
stats-picture-open = Под вопросом или в работе
