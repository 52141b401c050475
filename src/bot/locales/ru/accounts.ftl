# /members, /invite, /api_key, /webhooks.

command-members = Кто в аккаунте
command-invite = Пригласить по ссылке
command-api-key = Ключи для программ (HTTP-интерфейс)
command-webhooks = Вебхуки: адреса программ, которые узнают о событиях

members-title =
    <b>Участники аккаунта { $account }</b>: { $count ->
        [one] { $count } человек
        [few] { $count } человека
       *[other] { $count } человек
    }
members-line = { $person }{ $handle } — { $role }
members-line-you = { $person }{ $handle } — { $role }, это вы
members-hint = Чтобы что-то изменить, нажмите на имя.
members-refused = Вашей роли не разрешено видеть и менять участников. Вы можете сами выйти из аккаунта.
members-unknown = В этом аккаунте нет такого участника: { $person }. Выберите из списка:
members-gone = Этого человека больше нет в аккаунте.
members-unchanged = Менять нечего: уже так и есть.
members-changed-meanwhile = Кто-то одновременно изменил то же самое, поэтому я ничего не сделал. Посмотрите ещё раз: /members
members-owner-stays = Владелец не может выйти. Сначала передайте аккаунт другому участнику.

members-button-invite = Пригласить
members-button-leave = Выйти из аккаунта
members-button-role = Назначить: { $role }
members-button-remove = Удалить
members-button-own = Передать аккаунт
members-button-sure = Понимаю, что это значит

members-ask-role = Новая роль для { $person }: { $role }?
members-ask-remove = Удалить { $person } из аккаунта? Всё сделанное останется в истории.
members-ask-own-first =
    <b>Передать весь аккаунт? Новый владелец: { $person }</b>
    Аккаунт с кодами, чеками и покупками перейдёт к новому владельцу. Вы станете администратором и не сможете вернуть его сами.
members-ask-own =
    <b>Последний вопрос: сделать владельцем { $person }?</b>
    Отменить это сможет только новый владелец. Если не уверены, нажмите «Отмена».
members-ask-leave = Выйти из аккаунта { $account }? Вернуться можно только по новому приглашению.

members-done-role = Готово. { $person }, новая роль: { $role }. Я сообщил об этом участнику.
members-done-remove = Готово: { $person } больше не в аккаунте. Я сообщил об этом участнику.
members-done-own = Готово. Новый владелец: { $person }, вы теперь администратор.
members-done-leave = Вы вышли из аккаунта { $person }. Чтобы вернуться, попросите приглашение.

members-told-role = Ваша роль в аккаунте { $account } изменена ({ $person }). Новая роль: { $role }. /help покажет, что вам доступно.
members-told-remove = Вас удалили из аккаунта { $account } ({ $person }). Если это ошибка, попросите новое приглашение.
members-told-own = Аккаунт { $account } передан вам ({ $person }), теперь вы его владелец. /help покажет, что вам доступно.
members-told-leave = Участник вышел из аккаунта { $account }: { $person }.

invite-choose = Кого приглашаем? Выберите роль:
invite-not-admins = Администраторов приглашает только владелец. Вы можете пригласить:
invite-unknown-role = Такой роли я не знаю. Выберите:
invite-link =
    Приглашение в аккаунт { $account }, роль: { $role }.
    { $link }

    Отправьте ссылку одному человеку. Она действует 24 часа и только для одного.
invite-copy = Скопировать ссылку

key-title = <b>Ключи API</b>: { $count }
key-none = Ключей API пока нет. С ключом программа работает через HTTP-интерфейс от имени этого аккаунта.
key-line = { $key } — создан { $created }, { $isUsed ->
        [yes] использован { $used }
       *[no] не использован
    }
key-unknown = Такого ключа в этом аккаунте нет.
key-gone = Этот ключ уже отозван.

key-button-new = Новый ключ
key-button-revoke = Отозвать { $key }
key-button-list = Все ключи
key-button-issue = Создать ключ
key-button-copy = Скопировать ключ

key-ask-issue =
    Создать новый ключ API? С ним можно активировать, добавлять и забирать коды этого аккаунта. Я покажу ключ только один раз.
    <b>Для чего он?</b> Пришлите слово-другое или нажмите «Создать ключ», чтобы он был без названия.
key-ask-issue-named =
    Создать новый ключ API: <b>{ $key }</b>?
    С ним можно активировать, добавлять и забирать коды этого аккаунта. Я покажу ключ только один раз.
key-ask-revoke =
    Отозвать ключ { $key }? Он создан { $created }, { $isUsed ->
        [yes] использован { $used }
       *[no] не использован
    }.
    Программы с этим ключом сразу перестанут работать. Вернуть его нельзя.
key-addresses = Он зарегистрировал эти адреса, они получают события и без него:
key-button-revoke-all = Отозвать, убрать { $count ->
        [one] { $count } адрес
        [few] { $count } адреса
        [many] { $count } адресов
       *[other] { $count } адреса
    }
key-button-revoke-only = Только отозвать
key-button-revoke-now = Отозвать
key-issued =
    Ключ { $prefix }… создан. Он придёт отдельным сообщением.
    Если сообщение не придёт, отзовите ключ здесь и создайте другой.
key-shown =
    Ваш новый ключ API, под спойлером. Больше я его не покажу, сохраните его в надёжном месте:
    <tg-spoiler>{ $key }</tg-spoiler>
key-revoked = Ключ { $prefix }… отозван: пользоваться им больше нельзя.

hook-title = <b>Вебхуки</b>: по этим адресам я сообщаю о событиях вашим программам.
hook-none = Вебхуков пока нет. Вебхук — это адрес вашей программы: когда что-то происходит, я отправляю на него подписанное сообщение, и ей не нужно спрашивать снова и снова.
hook-line =
    { $n }. { $url } { $state ->
        [off] — ⛔ отключён
        [failing] — ⚠️ не принимает
       *[on] — ✅ включён
    }
hook-card =
    <b>{ $url }</b>
    { $state ->
        [off] ⛔ Отключён с { $since }: три дня он ничего не принимал. Исправьте программу и включите его снова.
        [failing] ⚠️ С { $since } ничего не доходит. Я повторяю попытки всё реже, а через три дня отключу его.
       *[on] ✅ Включён
    }
hook-told = Сообщаю о: { $events }
hook-last = Последние сообщения:
hook-nothing-sent = За последние семь дней ничего не отправлено.
hook-delivery =
    { $when } · { $event } — { $state ->
        [delivered] ✅ принято ({ $status })
        [again] ⏳ { $problem } Следующая попытка { $next }
        [failed] ❌ { $problem } Попыток больше не будет
       *[waiting] ⏳ отправляется
    }

hook-problem-not-an-address = Это не адрес.
hook-problem-not-https = Сообщения отправляются только на https.
hook-problem-with-password = На адрес с паролем сообщения не отправляются.
hook-problem-too-long = Адрес слишком длинный.
hook-problem-unknown-host = Такого сервера нет.
hook-problem-not-public = У сервера непубличный IP-адрес.
hook-problem-unresolved = Не удалось определить IP-адрес сервера.
hook-problem-refused = Сервер отказал в соединении.
hook-problem-broken-off = Соединение оборвалось.
hook-problem-no-way = Сервер недоступен из сети.
hook-problem-not-taken = Сервер не принял соединение вовремя.
hook-problem-late = Нет ответа за { $detail } с.
hook-problem-certificate = Сертификат или шифрование не в порядке ({ $detail }).
hook-problem-redirected = Ответ { $detail }, а перенаправления не поддерживаются.
hook-problem-answered = Ответ { $detail }.
hook-problem-failed = Соединиться не удалось.
hook-problem-failed-with = Соединиться не удалось ({ $detail }).
hook-problem-restored = Восстановлена резервная копия: неизвестно, дошло ли сообщение.

hook-event-redemption-settled = итог активации
hook-event-order-settled = заказ завершён
hook-event-order-waiting = заказ ждёт
hook-event-stock-low = склад заканчивается
hook-event-quota-used = квота 80 % и 100 %
hook-event-subscription-ending = подписка заканчивается
hook-event-webhook-test = проверка

hook-button-new = Добавить адрес
hook-button-add = Добавить этот адрес
hook-button-test = Проверить
hook-button-enable = Включить снова
hook-button-refresh = Обновить
hook-button-remove = Удалить
hook-button-copy = Скопировать секрет

hook-ask-url = Пришлите адрес вашей программы. Он начинается с https:// и доступен из интернета, например https://shop.example/hooks
hook-ask-events =
    Сообщать о событиях на этот адрес?
    <b>{ $url }</b>

    Отметьте, о чём сообщать, и нажмите «Добавить этот адрес». Кодов и паролей в сообщениях не бывает.
hook-added =
    ✅ { $url } добавлен. Секрет для проверки подписи придёт отдельным сообщением.
    Если сообщение не придёт, удалите адрес в /webhooks и добавьте снова.
hook-secret =
    Секрет для проверки подписи, под спойлером. По нему ваша программа убедится, что сообщение отсюда. Больше я его не покажу, сохраните его в надёжном месте:
    <tg-spoiler>{ $secret }</tg-spoiler>
hook-tested = Отправляю. Кнопка «Обновить» покажет, что получилось.
hook-test-often = Не больше десяти проверок в минуту. Подождите немного.
hook-gone = Этого адреса здесь больше нет.
hook-known = Этот адрес уже добавлен. Чтобы получить новый секрет, удалите его в /webhooks и добавьте снова.
hook-toomany = Адресов уже пять, больше нельзя. Сначала удалите один в /webhooks.
hook-ask-remove =
    Удалить { $url }?
    На него больше ничего не придёт, даже то, что ещё не доставлено.
hook-removed = { $url } удалён: на него больше ничего не придёт.

hook-flaw-notanaddress = Это не адрес. Пришлите такой, что начинается с https://
hook-flaw-nothttps = Адрес должен начинаться с https://, чтобы никто не мог прочитать сообщения в пути.
hook-flaw-withpassword = В адресе не должно быть имени и пароля. Вместо них сообщения подписаны.
hook-flaw-toolong = Адрес слишком длинный: не больше 1000 знаков.
hook-flaw-unknownhost = Такого сервера нет. Проверьте адрес и пришлите его снова.
hook-flaw-notpublic = Этот адрес недоступен из интернета. Пришлите доступный.
hook-flaw-unresolved = Сейчас не удалось найти этот сервер. Пришлите адрес ещё раз чуть позже.

# /log

command-console = Консоль: всё то же за столом, в браузере
command-log = Кто что сделал в аккаунте

console-link = По ссылке войдёт один браузер, в течение пяти минут. Никому её не передавайте.
console-link-here = По ссылке войдёт один браузер этой машины, в течение пяти минут: <code>{ $link }</code>
console-button-open = Открыть консоль
console-button-end = Завершить сеанс
console-ended = Сеанс консоли завершён.
console-ended-before = Этот сеанс консоли уже закончился.

log-title = <b>Журнал</b>, сначала новое. Время — { $zone }.
log-empty = Пока ничего не записано.
log-by-service = сам сервис
log-by-chat = Telegram
log-line = { $when } · { $who }{ $door ->
        [cli] {" "}(командная строка)
        [page] {" "}(консоль)
       *[other] {""}
    }:{" "}
log-account-opened = открыт аккаунт { $called }
log-account-paused = аккаунт приостановлен
log-account-resumed = аккаунт возобновлён
log-account-closed = аккаунт закрыт
log-account-reopened = аккаунт снова открыт
log-account-renamed = новое название аккаунта: { $was } → { $is }
log-time-zone-set = часовой пояс: { $was } → { $is }
log-threshold-set = порог склада { $game } { $denomination }: { $was } → { $is }
log-member-invited = приглашение, роль: { $role }
log-owner-invited = приглашение владельца
log-member-joined = вступление в аккаунт, роль: { $role }
log-member-left = выход из аккаунта, роль была: { $role }
log-member-removed = удаление: { $person }, роль была: { $role }
log-role-changed = новая роль: { $person } — { $role }
log-handed-over = аккаунт передан: { $person }
log-key-issued = создан ключ API: { $key }…
log-key-revoked = отозван ключ API: { $key }…
log-console-entered = вход в консоль: { $browser }
log-console-left = завершён сеанс консоли
log-webhook-added = добавлен вебхук: { $host }
log-webhook-removed = удалён вебхук: { $host }
log-webhook-enabled = включён вебхук: { $host }
log-webhook-disabled = выключен вебхук: { $host }
log-codes-extracted = выдача кодов: { $count } × { $game } { $denomination } (выдача { $number })
log-batch-undone = отмена партии { $number } ({ $count })
log-codes-released = коды разблокированы: { $count } × { $game } { $denomination }
log-stock-paused = { $game } { $denomination } на паузе: отказов подряд — { $count }
log-stock-resumed = { $game } { $denomination } снова в работе
log-credentials-exported = заказана выгрузка с кодами и логинами, дней: { $days }
log-days-granted = начислено дней: { $days } (платёж { $number })
log-activations-granted = начислено активаций: { $count } (платёж { $number })
log-refunded = возврат платежа { $number }
log-doubts-asked = запрос платформе о неясных активациях: { $count }
log-doubt-decided =
    активация { $number } была под вопросом; решено: { $outcome ->
        [redeemed] активирована
       *[returned] не активирована
    } ({ $reason })
log-platform-adopted = платформа: { $was } → { $is }
log-database-adopted = сервис перенесён; остановлен { $since }
log-restored = восстановлена резервная копия: ничего не известно с { $since } по { $until }
log-past-testified = учтено другое прошлое сервиса, до { $until }: что там закрыто, закрыто и здесь
