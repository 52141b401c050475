# Чеки, неудачные и незавершённые активации простыми словами: /receipt, /history, /find, /export.

command-receipt = Показать чек по номеру
command-history = Что активировано, день за днём
command-find = Найти чек по игроку, коду, дню или сотруднику
command-export = Выгрузить чеки таблицей

button-receipt-private = Открыть в личном чате
button-receipt-file = Весь чек файлом
button-for-customer = Для клиента
button-proof = Пруф
button-copy-login = Логин
button-copy-password = Пароль
button-copy-account-id = Аккаунт
button-copy-session-token = Токен
button-copy-both = Оба
button-copy-code = Код
button-again = Ещё для { $name }
button-again-all = То же ещё раз
button-other-denomination = Другой номинал
button-other-code = Другой код
button-stock = Склад

receipt-ask = Пришлите номер чека.
receipt-ask-number = У чека есть номер, например 1234. Пришлите его или отправьте /receipt 1234.

receipt-title-redeemed = ✅ <b>Активировано</b> · чек { $id }
receipt-title-failed = ❌ <b>Не активировано</b> · чек { $id }
receipt-title-pending = ⏳ <b>Активируется</b> · чек { $id }
receipt-title-in-doubt = ❔ <b>Пока не ясно</b> · чек { $id }
receipt-sandbox = 🧪 Песочница: это проба, в игру ничего не приходит.
redeem-running = ⏳ Активирую { $what } для { $player }… { $seconds } с

receipt-game = Игра: { $game }
receipt-player = Игрок: <b>{ $name }</b>, ID <code>{ $player }</code>
receipt-player-id = Игрок: ID <code>{ $player }</code>
receipt-amount = Номинал: { $what }
receipt-amount-unsure = Номинал: точно неизвестен (код на { $what })
receipt-amount-unknown = Номинал: точно неизвестен
receipt-wanted = Запрошено: { $what }
receipt-code = Код: <tg-spoiler>{ $code }</tg-spoiler>
receipt-when = Когда: { $when }
receipt-by = Выполнил: { $who }
receipt-left = Осталось { $what }: { $count } шт.
receipt-by-former = бывший участник ({ $id })
receipt-by-api-key = ключ API { $prefix }…
receipt-by-host = администратор сервиса
receipt-by-claim = ссылка { $claim }
receipt-by-lost = прошло в потерянное время

receipt-login = Логин: <tg-spoiler>{ $value }</tg-spoiler>
receipt-password = Пароль: <tg-spoiler>{ $value }</tg-spoiler>
receipt-account-id = ID аккаунта игрока: <tg-spoiler>{ $value }</tg-spoiler>
receipt-session-token = Токен сессии: <tg-spoiler>{ $value }</tg-spoiler>
receipt-too-long = Эти данные слишком длинные для сообщения: возьмите их файлом.

receipt-no-order-list = ℹ️ Код активирован. Этот сервис не ведёт списка заказов, по которому можно проверить пополнение: спросите игрока, пришло ли оно. Если нет, напишите администратору сервиса номер чека { $id }.
receipt-warning = ⚠️ Код активирован, но полный чек на платформе пополнения не найден. Спросите игрока, пришло ли пополнение. Если нет или если он не может войти, напишите администратору сервиса номер чека { $id }: пароль можно сбросить.
receipt-pending = Активация идёт. Итог появится сам.
receipt-in-doubt = Платформа не сообщила, прошла ли активация. Код удержан, чтобы не потратить его дважды. Я сам всё выясню и напишу сюда; до этого не активируйте его повторно.

receipt-reason-no-codes-available = Кодов этого номинала не осталось.
receipt-reason-paused = Этот номинал приостановлен: платформа отклонила пять его кодов подряд. Владелец или администратор может продолжить в /stock.
receipt-reason-character-not-found = В игре нет игрока с таким ID.
receipt-reason-invalid-code = Код недействителен.
receipt-reason-code-used = Код уже был использован раньше.
receipt-reason-code-elsewhere = Другая активация этого же кода ещё не завершена.
receipt-reason-no-accounts-available = На платформе пополнения не нашлось свободного аккаунта.
receipt-reason-login-failed = Платформе пополнения не удалось войти в аккаунт.
receipt-reason-risk-control = Защита игры остановила эту активацию.
receipt-reason-network-error = Платформа пополнения недоступна.
receipt-reason-invalid-activation-response = Ответ платформы пополнения не удалось прочитать, ничего не активировано.
receipt-reason-unknown = Платформа пополнения не ответила, ничего не активировано.

receipt-code-back = Код вернулся на склад.
receipt-code-untouched = Код не использован, он ещё действует.
receipt-code-used = Этот код больше не действует.
receipt-code-invalid = Код отложен и больше не предлагается.
receipt-code-refused = Код не принят: проверьте, нет ли в нём ошибок.

receipt-charged = Списана 1 активация.
receipt-not-charged = Ничего не списано.

receipt-next-other-denomination = Что дальше: выберите другой номинал или добавьте коды командой /add_codes.
receipt-next-other-player = Что дальше: уточните ID у игрока и пришлите верный.
receipt-next-other-code = Что дальше: пришлите другой код.
receipt-next-again = Что дальше: попробуйте ещё раз, я возьму другой код.
receipt-next-later = Что дальше: подождите несколько минут и попробуйте ещё раз.

customer-title-redeemed = ✅ <b>Пополнение выполнено</b>
customer-title-failed = ❌ <b>Пополнение не прошло</b>
customer-title-pending = ⏳ <b>Пополнение выполняется</b>
customer-title-in-doubt = ⏳ <b>Проверяем пополнение</b>
customer-number = Номер чека: { $id }
customer-next-done = Если пополнения пока не видно, перезапустите игру.
customer-next-check = Иногда пополнение приходит не сразу. Проверьте, пожалуйста, в игре и напишите нам, если его так и не будет.
customer-next-wait = Пока не ясно, дошло ли пополнение. Мы выясняем и сообщим вам.
customer-next-player = В игре нет игрока с таким ID. Проверьте его, пожалуйста, и пришлите нам верный.
customer-next-failed = Ничего не зачислено. Напишите нам, пожалуйста, и назовите номер чека.

history-entry = { $mark } { $when } · <b>{ $what }</b> · { $player }{ $code } · /receipt_{ $id }
past-legend = ✅ активировано · ⚠️ активировано, чек неполный · ❌ ошибка · ❔ под вопросом · ⏳ выполняется

history-day =
    { $own ->
        [yes] <b>Ваши активации</b>, { $day }{ $several ->
            [0] {""}
           *[other] , страница { $page }
        }. Время — { $zone }.
       *[no] <b>История</b>, { $day }{ $several ->
            [0] {""}
           *[other] , страница { $page }
        }. Время — { $zone }.
    }
history-total = ✅ { NUMBER($redeemed, useGrouping: 0) }{ $failed ->
        [0] {""}
       *[other] {" "}· ❌ { NUMBER($failed, useGrouping: 0) }
    }{ $open ->
        [0] {""}
       *[other] {" "}· ❔ { NUMBER($open, useGrouping: 0) }
    }
history-day-empty =
    { $own ->
        [yes] { $day }: ваших активаций нет.
       *[no] { $day }: активаций нет.
    }
history-day-earlier = ‹ { $day }
history-day-later = { $day } ›
history-empty = Пока ничего не активировано. Здесь появится первая активация.
history-empty-own = Вы пока ничего не активировали. Здесь появятся ваши активации.

find-ask = Что найти? Пришлите ID игрока или 4 цифры его начала или конца, имя, код или 6 символов его начала или конца, день или два (21.11, вчера), кто активировал, «ошибка» или «под вопросом». Можно и вместе: вчера ошибки.
find-need-text = Пришлите это, пожалуйста, текстом. /cancel прервёт поиск.
find-title =
    { $count ->
        [one] <b>Найдена { $count } активация</b>{ $several ->
            [1] .
           *[other] , страница { $page } из { $pages }.
        } Время — { $zone }.
        [few] <b>Найдено { $count } активации</b>{ $several ->
            [1] .
           *[other] , страница { $page } из { $pages }.
        } Время — { $zone }.
       *[other] <b>Найдено { $count } активаций</b>{ $several ->
            [1] .
           *[other] , страница { $page } из { $pages }.
        } Время — { $zone }.
    }
find-by = Искал: { $what }
find-state-failed = ошибки
find-state-in-doubt = под вопросом
find-more = Я посмотрел до { $day }. Могут быть и более старые: их найдёт ID игрока целиком, код или день.
find-more-characters = Слишком много кодов начинается или заканчивается так. Пришлите больше символов кода.
find-nothing =
    { $what ->
        [none] Ничего не нашлось.
       *[other] Ничего не нашлось: { $what }.
    }
find-nothing-state =
    { $state ->
        [failed] Ошибок
        [in_doubt] Активаций под вопросом
       *[other] Активаций
    }{ $own ->
        [yes] {" "}у вас
       *[no] {""}
    }{ $when ->
        [none] {""}
       *[other] {" "}{ $when }
    } не было.
find-when =
    { $span ->
        [day] { $first }
       *[span] { $first } – { $last }
    }
find-too-few =
    { $count ->
        [1] 1 символа кода мало: нужно 6 его начала или конца.
       *[other] { $count } символов кода мало: нужно 6 его начала или конца.
    }
find-too-few-digits =
    { $count ->
        [1] 1 цифры мало: нужно 4 из ID игрока или 6 из кода.
       *[other] { $count } цифр мало: нужно 4 из ID игрока или 6 из кода.
    }
find-near-state =
    { $state ->
        [failed] Ошибки за все дни
       *[in_doubt] Под вопросом за все дни
    }
find-near-day = { $day }, все

export-ask = За сколько дней нужны чеки? Логинов, паролей и полных кодов в файле не будет.
export-ask-full = За сколько дней нужны чеки с кодами, логинами и паролями?
export-wrong = Укажите число дней от 1 до { $most }, например /export 30. Для программ: /export 30 csv. Владелец получит коды, логины и пароли командой /export 30 full.
export-full-refused = Файл с кодами, логинами и паролями получает только владелец. /export { $days } даст файл без них.
export-confirm =
    { $days ->
        [1] В файле будут коды, логины и пароли из чеков <b>за сегодня</b>; их прочтёт любой, к кому он попадёт. Сделать такой файл?
        [one] В файле будут коды, логины и пароли из чеков за <b>{ $days } день</b>; их прочтёт любой, к кому он попадёт. Сделать такой файл?
        [few] В файле будут коды, логины и пароли из чеков за <b>{ $days } дня</b>; их прочтёт любой, к кому он попадёт. Сделать такой файл?
       *[other] В файле будут коды, логины и пароли из чеков за <b>{ $days } дней</b>; их прочтёт любой, к кому он попадёт. Сделать такой файл?
    }
export-under-way = Готовлю файл…
export-refused = Telegram не принял файл. /export { $asked } сделает его заново.
export-empty =
    { $days ->
        [1] За сегодня чеков нет. /export предложит другой срок.
        [one] За последний { $days } день чеков нет. /export предложит другой срок.
        [few] За последние { $days } дня чеков нет. /export предложит другой срок.
       *[other] За последние { $days } дней чеков нет. /export предложит другой срок.
    }
export-done =
    { $count ->
        [one] { $count } чек. Время — { $zone }.
        [few] { $count } чека. Время — { $zone }.
       *[other] { $count } чеков. Время — { $zone }.
    }
export-more = Больше в один файл не входит: это самые старые. Укажите меньше дней, чтобы получить новые.
export-done-full =
    { $count ->
        [one] { $count } чек с кодами, логинами и паролями. Удалите это сообщение, когда файл больше не нужен.
        [few] { $count } чека с кодами, логинами и паролями. Удалите это сообщение, когда файл больше не нужен.
       *[other] { $count } чеков с кодами, логинами и паролями. Удалите это сообщение, когда файл больше не нужен.
    }

button-make-file = Создать файл
button-delete-file = Удалить файл
file-deleted = Удалено.
file-not-deleted = Telegram больше не даёт мне удалить это сообщение. Удалите его, пожалуйста, сами.

export-sheet = Чеки
export-column-id = Чек
export-column-begun = Когда ({ $zone })
export-column-settled = Завершено
export-column-outcome = Итог
export-column-game = Игра
export-column-player-id = ID игрока
export-column-player = Игрок
export-column-region = Регион
export-column-product = Товар
export-column-wanted = Запрошено
export-column-amount = Номинал
export-column-currency = Валюта
export-column-code-ending = Конец кода
export-column-reason = Причина
export-column-by = Выполнил
export-column-code = Код
export-column-uid = Аккаунт
export-column-login = Логин или ID аккаунта
export-column-password = Пароль или токен
export-outcome-redeemed = Активировано
export-outcome-warning = Активировано, чек неполный
export-outcome-failed = Ошибка
export-outcome-in-doubt = Под вопросом
export-outcome-pending = Выполняется
export-csv-marks = Перед содержимым, которое начинается с = + - или @, стоит знак '.
