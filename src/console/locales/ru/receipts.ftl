# Чеки и история одного из них.
menu-receipts = Чеки
receipts-title = Чеки
receipts-none = Ещё ничего не активировано.
receipts-id = Чек
receipts-at = Время
receipts-state = Исход
receipts-player = ID игрока
receipts-name = Имя
receipts-amount = Сумма
receipts-game = Игра
receipts-code = Код
receipts-by = Кто
receipts-from = С
receipts-to = По
receipts-key = Ключ №
receipts-batch = Партия
receipts-person = Telegram ID
receipts-error = Ошибка
state-redeemed = Активировано
state-failed = Не удалось
state-open = Не закончено
state-in_doubt = Под вопросом
state-pending = Выполняется
person-former = бывший участник { $id }
person-key = ключ { $key }
person-host = администрация сервиса
person-claim = ссылка { $claim }
person-lost = потеряно при восстановлении
error-NO_CODES_AVAILABLE = Нет кодов на складе
error-CHARACTER_NOT_FOUND = Игрок не найден
error-INVALID_CODE = Это не код
error-CODE_USED = Код уже использован
error-NO_ACCOUNTS_AVAILABLE = У платформы не было свободного аккаунта
error-LOGIN_FAILED = Платформе не удалось войти
error-RISK_CONTROL = Отказ риск-контроля
error-NETWORK_ERROR = Платформа недоступна
error-INVALID_ACTIVATION_RESPONSE = Ответ не разобрать
error-UNKNOWN = Неизвестно
receipt-title = Чек { $id }
receipt-player = Игрок
receipt-region = Регион
receipt-code-now = Код сейчас
receipt-code-none = не брался
receipt-code-held = удержан, пока не станет ясно
receipt-code-spent = потрачен на этот чек
receipt-code-back = снова на складе
receipt-code-untouched = не потрачен; у того, кто его прислал
receipt-code-used = использован в другом месте
receipt-code-invalid = на деле не код
receipt-code-elsewhere = в другой активации, которая не закончена
receipt-show = Показать код и логин
receipt-uid = ID аккаунта
receipt-email = Логин
receipt-password = Пароль
story-title = Что произошло
story-begun = Заказ: { $who }
story-door-chat = в чате
story-door-program = программой
story-order = заказ { $name }
story-code-taken = Код взят из
story-batch = партии { $id }
story-charged = { $count ->
        [1] Списано: 1 активация
       *[other] Списано: { $count } активации
    }
story-returned = { $count ->
        [1] Возвращено: 1 активация
       *[other] Возвращено: { $count } активации
    }
story-sent = Отправлено платформе, попытка { $n }:
story-resent = Отправлено ещё раз, чтобы узнать исход, попытка { $n }:
story-attempt-open = выполняется
story-attempt-spent = код потрачен
story-attempt-not_spent = код не потрачен
story-attempt-unknown = ясного ответа нет
story-took = через { $span }
story-proven-spent = Теперь известно: попытка { $n } потратила код
story-proven-not = Теперь известно: попытка { $n } кода не потратила
story-proof-answer = по ответу платформы
story-proof-never_sent = она не отправлялась
story-proof-record = по записи платформы
story-proof-lookup = по проверке кода
story-proof-resend = по повторной отправке
story-proof-person = по слову человека
story-looks = { $count ->
        [0] Ещё не проверялось.
        [one] Проверено { $count } раз.
        [few] Проверено { $count } раза.
       *[other] Проверено { $count } раз.
    }
story-held = Само это не выяснится: ждёт человека.
story-next-look = Следующая проверка:
story-looked = { $count ->
        [one] Проверено { $count } раз:
        [few] Проверено { $count } раза:
       *[other] Проверено { $count } раз:
    }
story-until = последний раз
story-said-underWay = платформа ещё выполняет
story-said-unreachable = никто не ответил
story-said-notFinal = пока не активировано, но это может измениться
story-said-receiptAwaited = активировано; чека ещё нет
story-said-sentAgain = отправлено ещё раз, ясного ответа нет
story-said-playerNotFound = активировано, но игрок не найден
story-said-playerUnreachable = активировано; для кого, никто не сказал
story-said-held = никто не может сказать: решать человеку
story-said-failed = вопрос не удался у нас
story-message = Сообщение для { $who }:
story-message-group = Сообщение в группу:
story-message-waiting = ждёт отправки
story-message-sent = отправлено
story-message-failed = не доставлено
story-webhook = Вебхук
story-webhook-waiting = ждёт
story-webhook-delivered = доставлен
story-webhook-failed = не доставлен
story-webhook-tries = { $count ->
        [one] { $count } попытка
        [few] { $count } попытки
       *[other] { $count } попыток
    }
story-act-credentialsShown = Код и логин показаны:
story-act-customerReceiptMade = Чек для клиента сделал:
story-act-doubtDecided = Вопрос решил:
story-host = Апстрим
story-host-upstream = Отправлено
story-host-candidates = Можно было отправить
story-host-reference = Наш номер
story-host-witness = Проверено у
story-host-httpStatus = Статус HTTP
story-host-message = Сообщение
story-host-theirId = Их номер
story-host-cost = Цена
