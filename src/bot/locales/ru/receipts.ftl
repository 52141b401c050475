# Чеки, неудачные и незавершённые активации простыми словами.

command-receipt = Показать чек по номеру

button-receipt-private = Открыть в личном чате
button-receipt-file = Целиком, файлом
button-copy-login = Скопировать логин
button-copy-password = Скопировать пароль
button-copy-account-id = Скопировать ID аккаунта
button-copy-session-token = Скопировать токен сессии

receipt-ask = Пришлите номер чека.
receipt-ask-number = У чека есть номер, например 1234. Пришлите его или отправьте /receipt 1234.
receipt-unknown = Чека { $id }, доступного вам, нет. Проверьте номер.

receipt-title-redeemed = ✅ <b>Активировано</b> · чек { $id }
receipt-title-failed = ❌ <b>Не активировано</b> · чек { $id }
receipt-title-pending = ⏳ <b>Активируется</b> · чек { $id }
receipt-title-in-doubt = ❔ <b>Пока не ясно</b> · чек { $id }

receipt-game = Игра: { $game }
receipt-player = Игрок: <b>{ $name }</b>, ID { $player }
receipt-player-id = Игрок: ID { $player }
receipt-amount = Сумма: { $what }
receipt-amount-unsure = Сумма: точно не известна (код на { $what })
receipt-amount-unknown = Сумма: точно не известна
receipt-wanted = Запрошено: { $what }
receipt-code = Код: <tg-spoiler>{ $code }</tg-spoiler>
receipt-when = Когда: { $when }
receipt-by = Кто: { $who }
receipt-by-former = бывший участник ({ $id })
receipt-by-api-key = ключ API { $prefix }…
receipt-by-host = хозяин сервиса

receipt-login = Логин: <tg-spoiler>{ $value }</tg-spoiler>
receipt-password = Пароль: <tg-spoiler>{ $value }</tg-spoiler>
receipt-account-id = ID аккаунта игрока: <tg-spoiler>{ $value }</tg-spoiler>
receipt-session-token = Токен сессии: <tg-spoiler>{ $value }</tg-spoiler>
receipt-too-long = Секрет слишком длинный для сообщения: возьмите его файлом.

receipt-warning = ⚠️ Код активирован, но полный чек на платформе пополнения не найден. Спросите игрока, пришло ли пополнение. Если логин выше не подходит или его нет, пароль можно сбросить через поддержку.
receipt-pending = Активация идёт. Итог появится сам.
receipt-in-doubt = Платформа не ответила, удалось ли. Код придержан, чтобы не потратить его дважды. Я сам выясню и сообщу здесь; пока не активируйте его повторно.

receipt-reason-no-codes-available = Кодов этого номинала не осталось.
receipt-reason-character-not-found = Игра не знает такого ID игрока.
receipt-reason-invalid-code = Код недействителен.
receipt-reason-code-used = Код уже был использован раньше.
receipt-reason-code-elsewhere = Другая активация этого же кода ещё не завершена.
receipt-reason-no-accounts-available = На платформе пополнения не нашлось свободного аккаунта.
receipt-reason-login-failed = Платформе пополнения не удалось войти в аккаунт.
receipt-reason-risk-control = Защита игры остановила эту активацию.
receipt-reason-network-error = Платформа пополнения недоступна.
receipt-reason-invalid-activation-response = Ответ платформы не удалось прочитать, активации не было.
receipt-reason-unknown = Платформа не ответила, активации не было.

receipt-code-back = Код вернулся в базу.
receipt-code-untouched = Код не потрачен: он ещё годен.
receipt-code-used = Этим кодом больше нельзя воспользоваться.
receipt-code-invalid = Код отложен и больше не предлагается.
receipt-code-refused = Код не принят: проверьте, нет ли в нём ошибок.

receipt-charged = Списана 1 активация.
receipt-not-charged = Ничего не списано.

receipt-next-other-denomination = Что дальше: выберите другой номинал или добавьте коды командой /add_codes.
receipt-next-other-player = Что дальше: уточните ID у игрока и пришлите верный.
receipt-next-other-code = Что дальше: пришлите другой код.
receipt-next-again = Что дальше: попробуйте ещё раз, я возьму другой код.
receipt-next-later = Что дальше: подождите несколько минут и попробуйте ещё раз.
