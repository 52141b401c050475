# Для администратора сервиса: /accounts, /payments, /grant, /refund, /health.

command-accounts = Аккаунты и поиск по ним
command-payments = Платежи и их возврат
command-grant = Добавить аккаунту дни подписки
command-refund = Вернуть платёж
command-health = Состояние сервиса

host-accounts = <b>Аккаунты</b>
host-accounts-none = Аккаунтов пока нет.

host-account = <b>{ $id }</b> · { $account }, подписка: { $subscription }
host-account-facts =
    Владелец: { $person }. Участников: { $count }. Купленных активаций: { $purchased }.
host-subscription-none = пока нет
host-subscription-until = до { $day }
host-subscription-ended = закончилась { $day }
host-account-paused = приостановлен
host-account-closed = аккаунт закрыт
host-no-account = Такого аккаунта нет. Все аккаунты покажет /accounts.
host-accounts-hint = Для поиска отправьте /accounts с названием, @именем или номером.
host-found =
    { $count ->
        [one] <b>Найден { $count } аккаунт</b>, страница { $page } из { $pages }
        [few] <b>Найдено { $count } аккаунта</b>, страница { $page } из { $pages }
       *[other] <b>Найдено { $count } аккаунтов</b>, страница { $page } из { $pages }
    }
host-found-more = Это не все: уточните название.
host-found-none = По запросу «{ $text }» аккаунтов нет. Попробуйте часть названия или имени владельца, @имя или номер.
host-more = … и ещё { $count }

host-card =
    <b>Аккаунт { $id }</b> · { $account }
    Открыт { $opened }
    Подписка: { $subscription }
host-card-use =
    Использовано за 24 часа: { $used } из { $limit } активаций
    Купленных активаций осталось: { $purchased } из { $bought }
host-card-doubts = Под вопросом: { $count }
host-card-people = Участников: { $count }
host-card-person = { $person }, { $role }
host-card-nobody = В аккаунте пока никого нет.

host-button-new = Новый аккаунт
host-button-open-card = Показать аккаунт
host-button-open-it = Открыть аккаунт
host-button-grant-days = Дать дни
host-button-grant-activations = Дать активации
host-button-pause = Приостановить
host-button-resume = Возобновить
host-button-close = Закрыть
host-button-reopen = Открыть снова
host-button-payments = Платежи
host-button-doubts = Под вопросом: { $count }
host-button-ask-now = Спросить сейчас
host-button-look-again = Обновить

host-new-name = Как назвать новый аккаунт? Отправьте название магазина.
host-new-name-again = В названии должно быть от 1 до { $most } знаков. Отправьте другое.
host-ask-new =
    Открыть аккаунт { $account }{ $days ->
        [0] {""}
        [one] {" "}с подпиской на { $days } день
        [few] {" "}с подпиской на { $days } дня
       *[other] {" "}с подпиской на { $days } дней
    }? Вы получите ссылку, по которой человек станет его владельцем.
host-opened = Готово: аккаунт { $account } открыт. Его номер: { $id }.


host-ask-pause = Приостановить этот аккаунт? Пока вы его не возобновите, он ничего не активирует, никого не ищет и не забирает коды. То, что под вопросом, дойдёт до конца.
host-ask-resume = Возобновить этот аккаунт?
host-ask-close = Закрыть этот аккаунт? Его ключи, люди и подписка закончатся сразу. Открыть его снова можно в течение 30 дней.
host-ask-reopen = Открыть этот аккаунт снова, с прежними ключами, людьми и подпиской?
host-pause-done = Готово: { $account } приостановлен.
host-resume-done = Готово: { $account } снова работает.
host-close-done = Готово: { $account } закрыт. В течение 30 дней его можно открыть снова из карточки.
host-reopen-done = Готово: { $account } снова открыт.
host-suspend-unchanged = С { $account } это уже так. Ничего не сделано.
account-pause = Администратор сервиса приостановил ваш аккаунт: активации, поиск игрока и выдача кодов не работают. То, что под вопросом, дойдёт до конца.
account-resume = Администратор сервиса возобновил ваш аккаунт.
account-close = Администратор сервиса закрыл ваш аккаунт: его ключи, люди и подписка больше не действуют.
account-reopen = Администратор сервиса снова открыл ваш аккаунт.

host-asked =
    { $count ->
        [one] Спрашиваю платформу о { $count } активации под вопросом. Тот, кто её проводил, узнает результат.
       *[other] Спрашиваю платформу о { $count } активациях под вопросом. Те, кто их проводил, узнают результат.
    }
host-asked-none = Спрашивать не о чем: платформу уже спрашивают.
host-just-asked = Платформу спрашивали только что. Подождите минуту.

host-payments = <b>Платежи</b>
host-payments-of = <b>Платежи аккаунта { $account }</b>
host-payments-none = Платежей пока нет.
host-payment =
    <b>{ $number }</b> · { $price } · { $goods }
    { $when }, аккаунт { $id } · { $account }
host-payment-adjustment = подарок
host-payment-by = Плательщик: { $person }
host-payment-spent = Израсходовано: { $spent } из { $all }
host-payment-spent-days = Прошло дней: { $spent } из { $all }
host-payment-refunded = Возвращён { $when }
host-refund-takes = Не израсходовано и будет списано активаций: { $left } из { $all }.
host-refund-takes-days = Ещё не прошло и будет списано дней: { $left } из { $all }.

host-grant-several = Под запрос «{ $text }» подходит несколько аккаунтов. Отправьте номер или @имя кого-нибудь из участников; список: /accounts { $text }
host-grant-two-names = Под именем { $who } известны несколько людей, и по нему не понять, кого вы имеете в виду. Какой аккаунт?
host-grant-how-many-days = Сколько дней подписки добавить?
host-grant-how-many-activations = Сколько активаций добавить сверх дневной квоты?
host-ask-grant-activations =
    Добавить этому аккаунту { $count ->
        [one] { $count } активацию
        [few] { $count } активации
       *[other] { $count } активаций
    }?
host-granted-activations =
    Готово. { $account }: добавлено { $count ->
        [one] { $count } активация
        [few] { $count } активации
       *[other] { $count } активаций
    }.
granted-activations =
    Администратор сервиса добавил вашему аккаунту { $count ->
        [one] { $count } активацию
        [few] { $count } активации
       *[other] { $count } активаций
    }. Они расходуются, когда дневная квота исчерпана, и не сгорают.

host-account-opened =
    🆕 Новый аккаунт: { $id } · { $account }
    Открыл: { $person }

host-button-days =
    { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }
host-button-accounts = Аккаунты

host-grant-choose = Какому аккаунту добавить дни? Выберите аккаунт или отправьте /grant с его номером или @именем и числом дней: /grant 5 30
host-grant-days = Число дней должно быть целым, от 1 до { $most }.
host-ask-grant =
    Добавить этому аккаунту { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    } подписки?
host-granted =
    Готово. { $account }: добавлено { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }. Подписка действует до: { $until }.
granted =
    Администратор сервиса добавил вашему аккаунту { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    } подписки. Она действует до: <b>{ $until }</b>.

host-refund-usage = Отправьте команду с номером платежа: /refund 12
    /payments покажет все, у каждого есть кнопка.
host-ask-refund-adjustment = Забрать этот подарок у аккаунта { $account }?
host-button-refund-stars = Вернуть { $price }
host-button-refund-booked = Учесть возврат
host-button-refund-adjustment = Забрать
host-button-adjustment-back = Забрать подарок № { $number }
host-adjustment-back =
    Готово: подарок забран.{ $count ->
        [0] {""}
        [one] {" "}Забрана { $count } активация.
        [few] {" "}Забраны { $count } активации.
       *[many] {" "}Забрано { $count } активаций.
    } Осталось купленных активаций: { $balance }.
host-payment-taken = забрано
host-button-give = Дать { $what }
host-button-take = Забрать { $what }
host-ask-take-days =
    Забрать { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[many] { $days } дней
    } подписки? Прошедшие дни не изменятся.
host-nothing-to-take = У аккаунта { $account } не осталось дней подписки. Ничего не сделано.
host-taken-days =
    Готово: у аккаунта { $account } забрали { $days ->
        [one] { $days } день
        [few] { $days } дня
       *[many] { $days } дней
    }. Подписка действует до { $until }.
taken-days = Администратор сервиса забрал подаренные дни подписки. Она действует до <b>{ $until }</b>.
taken-activations =
    Администратор сервиса забрал подаренное: { $count ->
        [one] { $count } активацию
        [few] { $count } активации
       *[many] { $count } активаций
    }.
host-refund-unknown = Платежа с таким номером нет.
host-refund-already = Этот платёж уже возвращён. Повторно я ничего не делал.
host-ask-refund-stars =
    Вернуть { $price }? Плательщик: { $payer }, аккаунт: { $account }.
    Платёж: { $number }<code>{ $charge }</code>
host-ask-refund-booked =
    Отметить { $price } как возвращённые? Плательщик: { $payer }, аккаунт: { $account }.
    Сами деньги я вернуть не могу: верните их в кабинете платёжной системы.
    Платёж: { $number }<code>{ $charge }</code>
host-refunded =
    Готово: { $price } возвращено.{ $count ->
        [0] {""}
        [one] {" "}Списана { $count } активация.
        [few] {" "}Списано: { $count } активации.
        [many] {" "}Списано: { $count } активаций.
       *[other] {" "}Списано: { $count } активации.
    } Купленных активаций осталось: { $balance }.
host-refunded-plain = Готово: { $price } возвращено. Платёж не был зачтён, списывать было нечего.
host-refund-other-bot = Этот платёж получил @{ $bot }, и вернуть его звёзды может только тот бот. Ничего не отмечено. Верните его токен или уладьте это с плательщиком иначе.
host-refund-refused = Telegram не вернул звёзды, ничего не отмечено. Проверьте платёж в Telegram и повторите /refund.
host-refund-unsure = Telegram не ответил, поэтому я ничего не отметил. Повторите /refund через минуту: дважды деньги не вернутся.
host-refund-cancelled-unsure =
    Отменено, ничего не отмечено. Но в прошлый раз Telegram не ответил, и звёзды могли всё-таки вернуться.
    Чтобы узнать точно, отправьте <code>/refund { $number }</code>: дважды деньги не вернутся.

host-tasks-since = { $tasks } { $count }, с { $since }
host-tasks-answer = ответы
host-tasks-result = результаты
host-tasks-notice = уведомления
host-tasks-announce = новости
host-doubts-since = { $count }, самая старая — с { $since }
host-doubts-held = { $doubts }; ждут вашего взгляда: { $held }
host-clock-same = её часы совпадают с нашими
host-clock-ahead = её часы спешат на { $amount }
host-clock-behind = её часы отстают на { $amount }
host-seconds = { $seconds } с
host-platform-real = настоящая
host-reachable = доступна
host-sandbox = песочница (для пробы, в игру ничего не приходит)
host-unreachable = недоступна
host-backup-off = сервис их не делает (BACKUP_FOLDER не задан)
host-backup-none = пока нет
host-health =
    <b>Сервис</b>
    Telegram: { $telegram }
    Платформа: { $platform }
    Активаций идёт: { $pending }
    Под вопросом: { $doubts }
    Ждут обработки: { $inbox }, отложено за двое суток: { $setAside }; ждут отправки: { $tasks }
    Последняя резервная копия: { $backup }
    Работает: { $uptime }
    Версия: { $version }
host-health-alert = ⚠️ <code>{ $name }</code>{ $of } с { $since } (docs/at-night.md)

host-unproven = ⚠️ Ни одному сервису нельзя верить, что код { $games } не использован: его коды, бывшие до восстановления, отправляются последними и не выдаются (docs/upstreams.md).

host-sweeps =
    { $count ->
        [one] После восстановления { $count } склад ждёт, пока платформа не ответит о его кодах: её спросит первый заказ.
        [few] После восстановления { $count } склада ждут, пока платформа не ответит об их кодах: её спросит первый заказ каждого.
       *[other] После восстановления { $count } складов ждут, пока платформа не ответит об их кодах: её спросит первый заказ каждого.
    }
host-button-sell-unswept = Продавать только с проверкой
host-ask-sell-unswept =
    { $count ->
        [one] Продавать { $count } склад только с проверкой?
        [few] Продавать { $count } склада только с проверкой?
       *[other] Продавать { $count } складов только с проверкой?
    }
    О каждом коде спрошу, когда он взят, и ни о каком заранее. Это на случай, если запросов к платформе на день не хватает: заказ, сделанный до восстановления и отправленный снова, может тогда взять второй код.
host-sell-unswept-done =
    { $count ->
        [0] Спрашивать заранее больше не о чем.
        [one] Готово: { $count } склад продаётся только с проверкой.
        [few] Готово: { $count } склада продаются только с проверкой.
       *[other] Готово: { $count } складов продаются только с проверкой.
    }

host-telegram-starting = связи пока не было, с { $since }
host-telegram-reachable = доступен с { $since }
host-telegram-unreachable = недоступен с { $since }
host-telegram-revoked = не принимает токен с { $since }
host-telegram-contested = обновления забирает другой процесс, с { $since }
host-telegram-failed = бот не запустился, пробует снова, с { $since }

host-uptime-fresh = меньше минуты
host-uptime-minutes = { $minutes } мин
host-uptime-hours = { $hours } ч { $minutes } мин
host-uptime-days = { $days } д { $hours } ч

host-button-owner = Пригласить владельца
host-button-replace-owner = Другой владелец
host-warn-replace-owner =
    <b>Другой владелец для этого аккаунта?</b>
    Если прежнего больше нет. Кто откроет ссылку, получит его коды, чеки и покупки, но не раньше чем через сутки; нынешний владелец узнает об этом сразу, может это остановить, а потом станет администратором.
host-ask-replace-owner = Ещё раз: сделать ссылку, по которой владельцем станет другой человек?
host-replace-nobody = У этого аккаунта нет владельца. Пригласить его можно из карточки.
host-replace-link =
    Приглашение стать владельцем аккаунта { $account } вместо нынешнего:
    { $link }

    Отправьте его одному человеку. Оно действует с { $opens } и 24 часа, если владелец не скажет, что он на месте. Ему об этом сообщено.
host-has-owner = У этого аккаунта уже есть владелец.
host-owner-link =
    Приглашение стать владельцем аккаунта { $account }:
    { $link }

    Отправьте его одному человеку. Приглашение действует 24 часа и только для одного.

host-unmatched-payments =
    { $count ->
        [one] 💫 Есть { $count } платёж, к которому нет моего заказа. Ничего не зачислено.
        [few] 💫 Есть { $count } платежа, к которым нет моих заказов. Ничего не зачислено.
       *[many] 💫 Есть { $count } платежей, к которым нет моих заказов. Ничего не зачислено.
    }
host-unmatched-payment = { $number }. { $price } · { $payer } ({ $id }) · { $when }
host-unmatched-payment-refund = Вернуть { $number }: { $price }

host-webhook-refused =
    ⚠️ Telegram не принимает вебхук на { $address }: { $reason }
    Пока он его не примет, сообщения до меня не доходят. Укажите в <code>WEBHOOK_URL</code> адрес https на порту 443, 80, 88 или 8443, доступный для Telegram, или уберите эту настройку и перезапустите сервис.

host-upstream = <b>{ $name }</b>: { $state }
host-upstream-usable = ✅ Активации отправляются туда.
host-upstream-failing = ⚠️ Не справляется, но другого нет: активации всё равно отправляются туда.
host-upstream-resting = 💤 Отдыхает с { $since }: слишком часто не справлялся. После { $until } его проверит одна активация.
host-upstream-paused = ⏸ Приостановлен с { $since }. { $reason }
host-upstream-by-host = Администратором сервиса.
