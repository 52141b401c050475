# /links: ссылки для покупателей — создание, файл, отзыв; и те, что ждут магазин.

command-links = Ссылки, чтобы продавать вместо кодов

links-off = Ссылкам нужен адрес этого сервиса, который откроется у покупателей, а он не задан. Его задаёт администратор сервиса: PUBLIC_URL.
links-usage =
    Создать ссылки: /links 660 100
    Сначала — на сколько каждая, затем — сколько их, не больше 1000; слово после этого останется их пометкой. Кто откроет ссылку, вводит ID игрока, подтверждает имя и получает своё.
links-usage-again = Создать ещё: /links 660 100
links-title = <b>Последние ссылки</b>
links-one =
    <b>{ $count } × { $what }</b> ({ $game }){ $reference ->
        [none] { "" }
       *[other] { " · " }{ $reference }
    }
    Создано { $made }, срок — до { $until }
links-count-open = открыто: { $count }
links-count-used = использовано: { $count }
links-count-stuck = ждут вас: { $count }
links-count-revoked = отозвано: { $count }
links-count-expired = истекло: { $count }
links-confirm =
    Создать <b>{ $count ->
        [one] { $count } ссылку
        [few] { $count } ссылки
       *[many] { $count } ссылок
    }</b> на <b>{ $what }</b> ({ $game })?
links-confirm-items = В каждой ссылке: { $items }.
links-confirm-kept =
    Склад держит для них { $kept } до { $until }. Кроме этого останется: { $left }.
    Активация списывается, когда ссылку используют, не раньше.
links-count-of = { $stockKey } — { $count } шт.
links-reference = Пометка: { $reference }
links-short = На складе не хватает на { $count ->
        [one] { $count } ссылку
        [few] { $count } ссылки
       *[many] { $count } ссылок
    } на { $what }. Недостаёт: { $missing }. Ни одна не создана; добавить коды: /add_codes.
links-no-composition = Из кодов на складе не складывается ровно { $what } на каждую ссылку (их { $count }){ $nearest ->
        [none] { "" }
       *[other] ; ближайшие суммы: { $nearest }
    }. Ни одна не создана.
links-caption =
    <b>{ $count ->
        [one] { $count } ссылка
        [few] { $count } ссылки
       *[many] { $count } ссылок
    }</b> на <b>{ $what }</b> ({ $game }), срок — до { $until }{ $reference ->
        [none] { "" }
       *[other] { " · " }{ $reference }
    }
    У кого ссылка, тот ею и воспользуется: храните файл, как храните коды. «Прислать ещё раз» работает сутки.
links-late = Ссылки можно прислать ещё раз в течение суток, и они прошли. Непроданное можно отозвать: /links
links-all-over = Ни одна из этих ссылок больше ничего не открывает.
links-button-issue = Создать { $count ->
        [one] { $count } ссылку
        [few] { $count } ссылки
       *[many] { $count } ссылок
    }
links-button-again = Прислать { $n } снова
links-button-revoke = Отозвать остальные
links-button-revoke-of = Отозвать { $n }
links-button-revoke-count = Отозвать { $count }
links-button-stuck = Ссылки ждут вас
links-button-more = Разрешить ещё
links-button-open = Открыть снова
links-button-player = Указать ID
links-revoke =
    Отозвать { $count ->
        [one] { $count } ссылку, которой никто не воспользовался? Она больше ничего не откроет, и то, что склад держит для неё,
        [few] { $count } ссылки, которыми никто не воспользовался? Они больше ничего не откроют, и то, что склад держит для них,
       *[many] { $count } ссылок, которыми никто не воспользовался? Они больше ничего не откроют, и то, что склад держит для них,
    } освободится.
links-nothing-unused = Все эти ссылки использованы или больше не действуют.
links-revoked = { $count ->
        [one] Отозвана { $count } ссылка.
        [few] Отозваны { $count } ссылки.
       *[many] Отозвано { $count } ссылок.
    } { $used ->
        [0] Ни одной не воспользовались.
       *[other] Использовано до этого: { $used }.
    }
links-none-stuck = Ни одна ссылка вас не ждёт.
links-stands = { $stands ->
        [open] 🔗 Ссылка на <b>{ $what }</b> снова открыта: покупатель может продолжить, искать игрока можно ещё пять раз.
        [confirmed] 🔗 Ссылка на <b>{ $what }</b> активируется. Как идёт, покажет /orders.
        [settled] 🔗 Ссылка на <b>{ $what }</b> активирована. Чек — в /history.
        [partly] 🔗 Часть ссылки на <b>{ $what }</b> уже активирована, поэтому заново она не начнётся. Остальное продолжит /orders.
       *[over] 🔗 Ссылка на <b>{ $what }</b> больше не действует: её отозвали или её срок вышел. Новую создаст /links.
    }
links-player-ask = Пришлите ID игрока, для которого активировать эту ссылку на <b>{ $what }</b>. Я узнаю имя и спрошу ещё раз.
links-player-confirm = { $isNamed ->
        [yes] Активировать эту ссылку на <b>{ $what }</b> для <b>{ $name }</b>, ID <code>{ $player }</code>?
       *[no] Активировать эту ссылку на <b>{ $what }</b> для ID <code>{ $player }</code>? Узнать имя игрока здесь нельзя, поэтому проверьте цифры.
    }
links-player-unproven = ⚠️ Никто не скажет, воспользовались ли этой ссылкой в потерянное время. Если да, это будет второй код за неё.
links-player-short = На складе нет кодов для этой ссылки на <b>{ $what }</b>. Ничего не сделано: добавьте их (/add_codes) и нажмите ещё раз.
