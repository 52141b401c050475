# /members, /invite, /api_key.

command-members = Кто в аккаунте
command-invite = Пригласить по ссылке
command-api-key = Ключи для программ (HTTP-интерфейс)

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

key-button-limits = Лимиты { $key }
key-limits-of = Свои ограничения ключа { $key }:
key-limits-ask =
    Пришлите одним сообщением всё, что должно быть: активации за любые 24 часа, адреса, последний день. Например:
    <code>50 203.0.113.7 2026-12-31</code>
    Что не названо, то не ограничено; <code>нет</code> снимает всё.
key-limits-none = нет
key-limits-day = активаций за 24 часа: { $count }
key-limits-from = только с <code>{ $address }</code>
key-limits-until = до { $day }
key-limits-wrong = Не понимаю «{ $word }». Число активаций — 50 или 12,25, адрес — 203.0.113.7, 203.0.113.0/24 или <code>2001:db8::/32</code>, день — 2026-12-31 или 31.12.2026.
key-limited = Теперь ограничения ключа { $key }:

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
    Программы с этим ключом сразу перестанут работать, а их заказы остановятся. Вернуть его нельзя.
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
