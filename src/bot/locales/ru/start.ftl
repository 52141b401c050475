# /start и его ссылки.

command-start = Кто вы здесь и главные кнопки

role-owner = владелец
role-admin = администратор
role-operator = оператор
role-support = поддержка

start-who = <b>{ $person }</b>, аккаунт { $account }
start-role = Ваша роль: { $role }
start-quota = На сегодня осталось активаций: { $left } из { $limit }, купленных: { $purchased }
start-stock = На складе: { $stock }
start-stock-empty = пока нет кодов

start-opened = Добро пожаловать! Я открыл для вас собственный аккаунт.
start-stranger =
    Здравствуйте! Я активирую коды пополнения для магазинов.
    Чтобы работать со мной, нужно приглашение: попросите ссылку у владельца аккаунта и откройте её здесь.
start-host =
    Здравствуйте! Вы хозяин сервиса и не состоите ни в одном аккаунте.
    /accounts покажет все аккаунты, /help — что ещё вам доступно.
start-group = Я здесь. В группе я отвечаю на /help, /stock, /quota и показываю чеки, всё остальное — в личном чате.
start-open-private = Открыть личный чат

start-joined = Добро пожаловать! Теперь вы в аккаунте { $account }. Ваша роль: { $role }.
start-already-here = Вы уже в аккаунте { $account }. Ваша роль: { $role }.
start-invitation-over = Это приглашение уже использовано или старше 24 часов. Попросите новую ссылку.
start-leave-first =
    Вы состоите в аккаунте { $account }, а быть можно только в одном.
    Сначала выйдите из него: откройте /members и нажмите кнопку. Потом снова откройте эту ссылку, она действует 24 часа.
start-hand-over-first =
    Вы владелец аккаунта { $account }, и он не пуст, поэтому я вас из него не вывел.
    Сначала передайте его другому участнику в /members, там же выйдите и снова откройте эту ссылку. Если в аккаунте больше никого нет, пригласите кого-нибудь: /invite.

start-button-redeem = Активировать игроку
start-button-add-codes = Добавить коды
start-button-stock = Склад
start-button-quota = Квота
start-button-history = История
start-button-find = Найти чек
start-button-stats = Статистика
start-button-members = Участники
start-button-accounts = Аккаунты
start-button-health = Состояние
