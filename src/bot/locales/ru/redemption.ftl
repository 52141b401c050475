# /redeem: от первого вопроса до последнего подтверждения. Ход и исход — в receipts.ftl.

command-redeem = Активировать код для игрока

button-redeem = Активировать
button-thats-the-one = Да, это он
button-send-code = Прислать свой код
button-redeem-again = Ещё раз
button-redeem-all = Активировать всё
button-redeem-all-again = Всё ещё раз
button-one-by-one = По одному
button-card-game = Другая игра: { $game }
button-stop = Остановить
button-order-logins = Логины
button-order-rest = Продолжить с остальными
button-plain-player = Игрок { $player }
button-plain-player-what = Игрок { $player } · { $what }
button-plain-codes = Это коды
button-plain-redeem = Активировать для игрока
button-plain-add = Добавить { $what }
button-plain-add-code = Добавить на склад
button-plain-redeem-code = Активировать · { $game }

redeem-game = Какая игра?
redeem-player = Пришлите ID игрока: от 5 до 20 цифр, как в игре.
redeem-player-or-known = Пришлите ID игрока или выберите одного из последних.
redeem-player-form = Это не ID игрока. В нём от 5 до 20 цифр и ничего больше.
redeem-player-unknown = Игрока с таким ID в этой игре нет. Проверьте цифры.
redeem-unreachable = Сейчас не удаётся узнать имя игрока. Ничего не списано. Попробуйте ещё раз чуть позже.
redeem-unnamed = Узнать имя игрока здесь нельзя, поэтому проверьте цифры: <code>{ $player }</code>. Пришлите тот же ID ещё раз, и я его приму. Ничего не списано.
redeem-is-it = Это <b>{ $name }</b>, ID <code>{ $player }</code>?
redeem-another-id = Это другой ID: раньше был { $before }.
redeem-what = Что активировать?
redeem-card =
    <b>{ $name }</b>, ID <code>{ $player }</code>
    Игра: { $game }
redeem-code-only = Для { $game } склада здесь нет. Пришлите код, который нужно активировать.
redeem-few-left =
    { $count ->
        [one] На { $what } остался только { $count } код.
        [few] На { $what } осталось только { $count } кода.
       *[other] На { $what } осталось только { $count } кодов.
    }
redeem-denomination = { $what } · { $count } шт.
redeem-stock-empty = Кодов на складе нет. Добавьте их командой /add_codes или пришлите код, который нужно активировать.
redeem-paused = ⏸ <b>{ $what }</b>. { receipt-reason-paused }
redeem-none-left = Кодов на { $what } не осталось.
redeem-pack = Номинала { $what } нет. <b>{ $pack }</b>?
redeem-no-pack =
    { $count ->
        [0] Номинала { $what } здесь нет.
       *[other] Номинала { $what } здесь нет, и набрать его не из чего: { $there }.
    }
redeem-unread = Не понял: <b>{ $words }</b>. Сверьте с тем, что нужно клиенту.
redeem-code = Пришлите код для { $game }.
redeem-code-form = Это не похоже на код для { $game }. Проверьте и пришлите ещё раз или нажмите одну из кнопок.
redeem-usage =
    Отправьте /redeem, и я спрошу остальное, или сразу всё:
    /redeem 5124780131 60
    Это ID игрока, а затем номинал или код.

redeem-confirm =
    <b>Активировать?</b>
    Игра: { $game }
    Игрок: <b>{ $name }</b>, ID <code>{ $player }</code>
redeem-confirm-lines =
    <b>Активировать всё это?</b>
    Игра: { $game }
    { $players ->
        [one] { $players } игрок
        [few] { $players } игрока
       *[other] { $players } игроков
    }, { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[other] { $count } кодов
    } со склада:
redeem-confirm-line = <b>{ $name }</b>, ID <code>{ $player }</code>: { $what }
redeem-one-by-one = По одному: у каждого ниже своё сообщение.
redeem-confirm-stock =
    { $count ->
        [1] Код: { $what } со склада
        [one] { $count } код: { $what } со склада
        [few] { $count } кода: { $what } со склада
       *[other] { $count } кодов: { $what } со склада
    }
redeem-confirm-codes =
    { $count ->
        [one] { $count } код: { $what }
        [few] { $count } кода: { $what }
       *[other] { $count } кодов: { $what }
    }
redeem-confirm-code = Код: <tg-spoiler>{ $code }</tg-spoiler>
redeem-confirm-cost =
    { $count ->
        [one] Спишется: { $count } активация
        [few] Спишется: { $count } активации
       *[other] Спишется: { $count } активаций
    }
redeem-same-redeemed = ⚠️ Этот игрок уже получил { $what } { $ago } (выполнил: { $who }).
redeem-same-pending = ⚠️ Этому игроку прямо сейчас активируется { $what } (начато { $ago }, выполняет: { $who }).
redeem-same-ordered = ⚠️ Этому игроку уже заказано { $what } ({ $ago }, заказ: { $who }).
redeem-same-in-doubt = ⚠️ Активация { $what } этому игроку ещё под вопросом (начата { $ago }, выполнил: { $who }).
redeem-minutes-ago =
    { $minutes ->
        [0] меньше минуты назад
        [one] { $minutes } минуту назад
        [few] { $minutes } минуты назад
       *[other] { $minutes } минут назад
    }
redeem-hours-ago =
    { $hours ->
        [one] { $hours } час назад
        [few] { $hours } часа назад
       *[other] { $hours } часов назад
    }
redeem-cancelled = Отменено. Ничего не активировано.
redeem-refused-too-often = За последнюю минуту у вашего аккаунта слишком много неудачных заказов, поэтому делаю паузу. Ничего не списано. Попробуйте ещё раз через { $seconds } с.

redeem-gone = Вы больше не участник аккаунта, где шла активация { $id }, поэтому её итог показать нельзя.

# Сообщения без команды.
plain-which-player =
    { $count ->
        [one] Это ID игрока?
       *[other] Какой это игрок?
    }
plain-player-and-code =
    { $count ->
        [one] Активировать код этому игроку или добавить на склад?
       *[other] Активировать эти коды? У каждого своя кнопка. Или они для склада?
    }
plain-look-up-cost = Имя узнаю, когда нажмёте кнопку игрока: это стоит { $cost }.
plain-player-or-code = Это ID игрока или код?
plain-this-code = код
plain-code-ending = …{ $end }
plain-more-players = Чисел больше, чем кнопок. Не поместились: { $players }. Пришлите их, пожалуйста, отдельным сообщением.
plain-more-codes = Кодов больше, чем кнопок: показаны первые десять. Остальные пришлите, пожалуйста, отдельным сообщением.
plain-one-at-a-time = Узнать имена игроков здесь нельзя. Присылайте по одному игроку, чтобы проверить каждый ID.
plain-a-line-each = Чтобы активировать сразу нескольким, пишите каждого с новой строки: <code>5124780131 60</code>
plain-amount = <b>{ $what }</b>: активировать игроку или добавить такие коды на склад?
plain-one-code = Что сделать с кодом <tg-spoiler>{ $code }</tg-spoiler>?
plain-one-code-worth = { plain-one-code } Чтобы добавить на склад, нажмите номинал.
plain-code-spent =
    { $state ->
        [redeemed] Этот код здесь уже активирован: /receipt_{ $id }
       *[other] Этот код здесь сейчас активируется: /receipt_{ $id }
    }
plain-code-ours = Этот код уже есть на вашем складе или был там.
plain-too-many-players = Здесь больше 10 игроков, поэтому я пока ничего не сделал. Пришлите не больше 10 в одном сообщении.
plain-too-many-codes = Здесь больше 10 кодов одному игроку, поэтому я пока ничего не сделал. За один раз — не больше 10.

# Несколько кодов одному или нескольким игрокам.
order-player = <b>{ $name }</b>, ID <code>{ $player }</code>
order-running =
    { $players ->
        [1] ⏳ Активирую коды: <b>{ $name }</b>, ID <code>{ $player }</code>, готово { $done } из { $all }
       *[other] ⏳ Активирую коды, игроков: { $players }, готово { $done } из { $all }
    }
order-stopping =
    { $players ->
        [1] ⏹ Останавливаюсь: <b>{ $name }</b>, ID <code>{ $player }</code>, готово { $done } из { $all }. Начатое дойдёт до конца.
       *[other] ⏹ Останавливаюсь, игроков: { $players }, готово { $done } из { $all }. Начатое дойдёт до конца.
    }
order-done =
    { $players ->
        [1] ✅ <b>Активировано { $all } из { $all }</b>: <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] ✅ <b>Активировано { $all } из { $all }</b>, игроков: { $players }
    }
order-stopped =
    { $players ->
        [1] ⏹ <b>Остановлено, активировано { $done } из { $all }</b>: <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] ⏹ <b>Остановлено, активировано { $done } из { $all }</b>, игроков: { $players }
    }
order-because-cancelled = Заказ остановили вручную.
order-because-doubt = Неизвестно, что стало с одним кодом, и больше ничего не рисковали.
order-because-items-failed = Присланные с ним коды не сработали.
order-because-code-used = Код уже использован.
order-because-invalid-code = Код недействителен.
order-because-character-not-found = Такого игрока нет.
order-because-risk-control = Отказал контроль рисков платформы.
order-because-no-accounts-available = У платформы слишком долго не было свободного аккаунта.
order-because-login-failed = Аккаунт платформы слишком долго не мог войти.
order-because-network-error = Платформа слишком долго была недоступна.
order-because-not-enough-stock = Склад слишком долго был пуст.
order-because-quota-exceeded = Квота слишком долго была исчерпана.
order-because-subscription-expired = Активной подписки больше нет: /subscribe
order-because-subscription-expired-ask = Активной подписки больше нет. Попросите владельца аккаунта продлить её.
order-because-deadline = Его срок прошёл.
order-because-key-revoked = Его ключ API отозван.
order-because-forbidden = Заказавший больше не может активировать.
order-because-restored = Сервис восстановлен из резервной копии. Сначала посмотрите, что было сделано в потерянное время.
order-left = Не активировано: { $what }
order-waits-stock = Заказ ждёт кодов: таких больше нет, или они обещаны другим.
order-waits-quota = Заказ ждёт квоты, она исчерпана. Когда активации вернутся, покажет /quota.
order-waits-subscription = Заказ ждёт подписки.
order-waits-platform = Платформа сейчас не может его выполнить. Я попробую ещё раз сам.
order-waits-doubt = Чем закончилась одна активация, пока неизвестно. Её код удержан, я всё выясню сам, остальное её ждёт.
order-given-code = код { $n }, присланный с заказом
order-given =
    { $count ->
        [one] { $count } код, присланный с заказом
        [few] { $count } кода, присланных с заказом
       *[other] { $count } кодов, присланных с заказом
    }
order-rest-waits = На складе не хватает: { $what }. Заказ подождёт кодов, не дольше суток.
order-replaced =
    { $whose ->
        [same] ⚠️ Недостающее для ID <code>{ $before }</code> уже заказано. Если заказать ещё раз, игрок получит его дважды.
        [other] ⚠️ Недостающее для ID <code>{ $before }</code> уже заказано другому игроку: <b>{ $name }</b>, ID <code>{ $player }</code>. Если продолжить, получат оба.
       *[unknown] ⚠️ Недостающее для ID <code>{ $before }</code> уже заказано другому игроку. Если продолжить, получат оба.
    }
order-not-stopped = Этот заказ уже выполняется или завершён. Ничего не сделано. Как он идёт, покажет /orders.
order-too-many = У аккаунта слишком много незавершённых заказов, поэтому ничего не сделано. Их покажет /orders.
order-stop-tap = Остановлюсь после той, что уже идёт.
order-stopped-tap = Остановлено. Больше ничего из него не начнётся.
order-over-tap = Заказ уже завершён.
order-gone = Вы больше не участник аккаунта этого заказа. Остаток не активирован.
order-no-login = ⚠️ Логина этой активации нет: что делать, сказано в её чеке.
order-logins =
    { $players ->
        [1] <b>Логины</b>: <b>{ $name }</b>, ID <code>{ $player }</code>
       *[other] <b>Логины</b>, игроков: { $players }
    }

# /orders
command-orders = Заказы: отменить, продолжить
orders-none = Заказов из нескольких кодов ещё нет. Такой заказ — ID игрока и несколько номиналов: <code>5124780131 60 x2</code>
orders-title = <b>Заказы из нескольких кодов</b>: сначала незавершённые, потом последние
orders-line = <b>{ $name }</b>, ID <code>{ $player }</code>: { $done } из { $all } · { $state }
orders-button = { $player } · { $done }/{ $all }
orders-one = <b>Заказ</b>: <b>{ $name }</b>, ID <code>{ $player }</code>, { $game }, готово { $done } из { $all }
orders-is = Состояние: <b>{ $state }</b>
orders-is-stopping = Состояние: <b>{ $state }</b>. Больше ничего не начнётся.
orders-by = Заказ: { $when }, { $who }
orders-reference = Номер: <code>{ $reference }</code>
orders-deadline = После { $when } ничего не начнётся
orders-cancel = Отменить заказ
orders-resume = Продолжить заказ
orders-gone = Такого заказа нет, или он не ваш.
orders-state-running = выполняется
orders-state-stock = ждёт кодов
orders-state-quota = ждёт квоты
orders-state-subscription = ждёт подписки
orders-state-platform = ждёт платформу
orders-state-doubt = ждёт, одна активация под вопросом
orders-state-done = выполнен
orders-state-stopped = остановлен
orders-state-cancelled = отменён
