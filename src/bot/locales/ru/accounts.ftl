# /members, /invite, /api_key.

command-members = Кто в аккаунте
command-invite = Пригласить по ссылке
command-api-key = Ключи для программ (HTTP-интерфейс)

members-title =
    <b>Участники аккаунта { $account }</b>: { $count ->
        [one] { NUMBER($count, useGrouping: 0) } человек
        [few] { NUMBER($count, useGrouping: 0) } человека
       *[other] { NUMBER($count, useGrouping: 0) } человек
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
members-button-back = Назад

members-ask-role = Сменить роль? { $person }, новая роль: { $role }.
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
invite-unknown-role = Такой роли я не знаю. Выберите:
invite-link =
    Приглашение в аккаунт { $account }, роль: { $role }.
    { $link }

    Отправьте ссылку одному человеку. Она действует 24 часа и только для одного.
invite-copy = Скопировать ссылку

key-title = <b>Ключи API</b>: { NUMBER($count, useGrouping: 0) }
key-none = Ключей API пока нет. С ключом программа работает через HTTP-интерфейс от имени этого аккаунта.
key-line = { $prefix }… создан { $created }, последний раз использован { $used }
key-line-unused = { $prefix }… создан { $created }, ещё не использован
key-unknown = Такого ключа в этом аккаунте нет.
key-gone = Этот ключ уже отозван.

key-button-new = Новый ключ
key-button-revoke = Отозвать { $prefix }…
key-button-copy = Скопировать ключ

key-ask-issue =
    Создать новый ключ API?
    С ним можно активировать, добавлять и забирать коды этого аккаунта. Я покажу ключ только один раз.
key-ask-revoke =
    Отозвать ключ { $prefix }…?
    Программы с этим ключом сразу перестанут работать. Вернуть его нельзя.
key-issued =
    Ключ { $prefix }… создан. Он придёт отдельным сообщением.
    Если сообщение не придёт, отзовите ключ здесь и создайте другой.
key-shown =
    Ваш новый ключ API, под спойлером. Больше я его не покажу, сохраните его в надёжном месте:
    <tg-spoiler>{ $key }</tg-spoiler>
key-revoked = Ключ { $prefix }… отозван: пользоваться им больше нельзя.
