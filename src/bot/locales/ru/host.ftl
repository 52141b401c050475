# Для администрации сервиса: /accounts, /grant, /refund, /health.

command-accounts = Все аккаунты
command-grant = Добавить аккаунту дни подписки
command-refund = Вернуть платёж
command-health = Состояние сервиса

host-accounts = <b>Аккаунты</b>
host-accounts-none = Аккаунтов пока нет.
host-account = <b>{ $id }</b> · { $account }, подписка до: { $until }
host-account-facts =
    Владелец: { $person }. Участников: { NUMBER($count, useGrouping: 0) }. Купленных активаций: { $purchased }.
host-no-subscription = нет
host-no-account = Такого аккаунта нет. Все аккаунты покажет /accounts.

host-button-days =
    { $days ->
        [one] { NUMBER($days, useGrouping: 0) } день
        [few] { NUMBER($days, useGrouping: 0) } дня
       *[other] { NUMBER($days, useGrouping: 0) } дней
    }
host-button-accounts = Аккаунты

host-grant-choose = Какому аккаунту добавить дни? Выберите аккаунт или отправьте /grant с его номером или @именем и числом дней: /grant 5 30
host-grant-days = Число дней должно быть целым, от 1 до { $most }.
host-ask-grant =
    Добавить этому аккаунту { $days ->
        [one] { NUMBER($days, useGrouping: 0) } день
        [few] { NUMBER($days, useGrouping: 0) } дня
       *[other] { NUMBER($days, useGrouping: 0) } дней
    } подписки?
host-granted =
    Готово. { $account }: добавлено { $days ->
        [one] { NUMBER($days, useGrouping: 0) } день
        [few] { NUMBER($days, useGrouping: 0) } дня
       *[other] { NUMBER($days, useGrouping: 0) } дней
    }. Подписка действует до: { $until }.
granted =
    Администрация сервиса добавила вашему аккаунту { $days ->
        [one] { NUMBER($days, useGrouping: 0) } день
        [few] { NUMBER($days, useGrouping: 0) } дня
       *[other] { NUMBER($days, useGrouping: 0) } дней
    } подписки. Она действует до: <b>{ $until }</b>.

host-refund-usage = Отправьте команду с номером платежа: /refund &lt;номер платежа&gt;
host-refund-unknown = Платежа с таким номером нет.
host-refund-already = Этот платёж уже возвращён. Повторно я ничего не делал.
host-ask-refund =
    Вернуть { $price }? Плательщик: { $payer }, аккаунт: { $account }.
    Неистраченные активации или дни будут списаны.
    Платёж: <code>{ $number }</code>
host-ask-refund-booked =
    Отметить { $price } как возвращённые? Плательщик: { $payer }, аккаунт: { $account }.
    Сами деньги я вернуть не могу: верните их в кабинете платёжной системы. Здесь будут списаны неистраченные активации или дни.
    Платёж: <code>{ $number }</code>
host-refunded =
    Готово: { $price } возвращено. Списано: { $count ->
        [one] { NUMBER($count, useGrouping: 0) } активация
        [few] { NUMBER($count, useGrouping: 0) } активации
        [many] { NUMBER($count, useGrouping: 0) } активаций
       *[other] { NUMBER($count, useGrouping: 0) } активации
    }. Купленных активаций осталось: { $balance }.
host-refunded-plain = Готово: { $price } возвращено. Платёж не был зачтён, списывать было нечего.
host-refund-refused = Telegram не вернул звёзды, ничего не отмечено. Проверьте платёж в Telegram и повторите /refund.
host-refund-unsure = Telegram не ответил, поэтому я ничего не отметил. Повторите /refund через минуту: дважды деньги не вернутся.

host-reachable = доступна
host-sandbox = песочница (для пробы, в игру ничего не приходит)
host-unreachable = недоступна
host-health =
    <b>Сервис</b>
    Telegram: { $telegram }
    Платформа: { $platform }
    Активаций идёт: { $pending }, под вопросом: { $inDoubt }
    Ждут обработки: { $inbox }, отложено за двое суток: { $setAside }; ждут отправки: { $outbox }
    Работает: { $uptime }
    Версия: { $version }

host-telegram-starting = связи пока не было, с { $since }
host-telegram-reachable = доступен с { $since }
host-telegram-unreachable = недоступен с { $since }
host-telegram-revoked = не принимает токен с { $since }

host-uptime-fresh = меньше минуты
host-uptime-minutes = { $minutes } мин
host-uptime-hours = { $hours } ч { $minutes } мин
host-uptime-days = { $days } д { $hours } ч

host-button-owner = Пригласить владельца
host-has-owner = У этого аккаунта уже есть владелец.
host-owner-link =
    Приглашение стать владельцем аккаунта { $account }:
    { $link }

    Отправьте его одному человеку. Приглашение действует 24 часа и только для одного.

host-strangers =
    { $count ->
        [one] 💫 Есть { $count } платёж, к которому нет моего заказа. Ничего не зачислено.
        [few] 💫 Есть { $count } платежа, к которым нет моих заказов. Ничего не зачислено.
       *[many] 💫 Есть { $count } платежей, к которым нет моих заказов. Ничего не зачислено.
    }
host-stranger = { $number }. { $price } · { $payer } ({ $id }) · { $when }
host-stranger-refund = Вернуть { $number }: { $price }

host-webhook-refused =
    ⚠️ Telegram не принимает вебхук на { $address }: { $reason }
    Пока он его не примет, сообщения до меня не доходят. Укажите в <code>WEBHOOK_URL</code> адрес https на порту 443, 80, 88 или 8443, доступный для Telegram, или уберите эту настройку и перезапустите сервис.
