# /start и его ссылки, /help, /cancel, /settings и ответы там, где больше некому ответить.

command-start = Главная: сколько осталось и частые действия
command-help = Команды
command-cancel = Отменить начатое
command-settings = Язык, часовой пояс, уведомления, порог склада

start-who = <b>{ $account }</b> · { $role ->
        [owner] вы владелец
        [admin] вы администратор
        [operator] вы оператор
       *[support] вы в поддержке
    }
start-quota = Осталось активаций: { $left } из { $limit } за 24 ч и { $purchased } купленных
start-stock = На складе: { $stock }
start-stock-empty = пока нет кодов

start-quota-off = Активации: { $limit } за 24 ч при подписке и { $purchased } купленных
start-opened = Добро пожаловать! Я открыл для вас собственный аккаунт.
start-stranger =
    Здравствуйте! Я активирую коды пополнения для магазинов.
    Чтобы работать со мной, нужно приглашение: попросите ссылку у владельца аккаунта, откройте её или вставьте сюда.
    Ваш Telegram ID: <code>{ $id }</code>
start-sandbox = 🧪 Платформа — <b>песочница</b>: в игру ничего не приходит. Чтобы активировать по-настоящему, задайте PLATFORM=upstream, UPSTREAM_URL и UPSTREAM_TOKEN и запустите сервис снова.

start-host =
    Здравствуйте! Вы администратор сервиса и не состоите ни в одном аккаунте.
    Пришлите название, @имя или номер, и я найду аккаунт. Остальное — в /help.
hint-order = Команды не нужны: пришлите ID игрока и номинал (<code>5170925571 60</code>), коды — чтобы добавить их, что угодно ещё — чтобы найти чек.
hint-find = Команды не нужны: чтобы найти чек, пришлите что угодно — ID игрока, имя или код.
hint-accounts = Команды не нужны: чтобы найти аккаунт, пришлите название, @имя или номер.
help-group-service = <b>Сервис</b>
help-group-day = <b>Каждый день</b>
help-group-stock = <b>Склад</b>
help-group-money = <b>Деньги</b>
help-group-settings = <b>Настройки</b>
help-in-group = <b>Что я умею в группе</b>
help-in-group-receipt = /receipt_1234 — Чек с этим номером, без кода и данных для входа
help-in-group-rest = Всё остальное — в личном чате со мной.
start-group = Я здесь. В группе я отвечаю на /help, /stock, /quota и показываю чеки, всё остальное — в личном чате.
start-open-private = Открыть личный чат

start-joined = Добро пожаловать! Теперь вы в аккаунте { $account }. Ваша роль: { $role }.
members-someone-joined = Ваше приглашение принято: { $person }. Роль: { $role }.
start-already-here = Вы уже в аккаунте { $account }. Ваша роль: { $role }.
start-invitation-over = Это приглашение уже использовано или старше 24 часов. Попросите новую ссылку.
start-not-yet = По этой ссылке вы станете владельцем аккаунта { $account }, но не раньше { $at }: у нынешнего владельца есть сутки, чтобы сказать, что он на месте. Откройте её тогда ещё раз.
start-leave-first =
    Вы состоите в аккаунте { $account }, а быть можно только в одном.
    Сначала выйдите из него: откройте /members и нажмите кнопку. Потом снова откройте эту ссылку, она действует 24 часа.
start-hand-over-first =
    Вы владелец аккаунта { $account }, и он не пуст, поэтому я вас из него не вывел.
    Сначала передайте его другому участнику в /members, там же выйдите и снова откройте эту ссылку. Если в аккаунте больше никого нет, пригласите кого-нибудь: /invite.

start-button-redeem = Активировать код
start-button-add-codes = Добавить коды
start-button-stock = Склад
start-button-quota = Квота
start-button-history = История
start-button-find = Найти чек
start-button-stats = Статистика
start-button-members = Участники
start-button-accounts = Аккаунты
start-button-health = Состояние


group-not-yourself = Вы пишете здесь не от своего имени, поэтому я не знаю, кто вы. Спросите меня в личном чате.
only-in-private = Это я делаю только в личном чате.
edited-message = Исправленные сообщения я не перечитываю. Пришлите, пожалуйста, новым сообщением.
edited-withdrawn = Вы исправили то сообщение, а читаю я сообщение один раз. Поэтому я отозвал свой вопрос по нему: те кнопки больше ничего не делают.
rest-order = Пришлите ID игрока и номинал, например 5124780131 60, или коды для склада. Остальное — в /help.
rest-command-near = Я не знаю такой команды. Может быть, /{ $near }? Все команды — в /help.
rest-unread = Такое сообщение я не могу прочитать. Пришлите текстом, а коды — и файлом .txt, .csv или .xlsx.
rest-text = С этим сообщением я ничего не могу сделать. /help покажет, что я умею.
left-webhooks = Вебхуки теперь в консоли, или ими управляет ваша программа по HTTP (docs/integrating.md).
left-upstreams = Состояние поставщиков и их кнопки — в /health, а сколько они выполнили, покажет консоль.
rest-command = Я не знаю такой команды. /help покажет те, что знаю.

language-en = English
language-ru = Русский

settings-title = <b>Настройки</b>
settings-language = Язык: { $language }
settings-language-telegram = Язык: { $language }, как в вашем Telegram
settings-language-set = Теперь я говорю по-русски.
settings-more = Уведомления: включено { $on } из { $all }
settings-stock-hint = Порог склада: сам предупрежу, когда кодов какого-то номинала станет мало. Другой порог: /settings 60 50 — когда меньше 50 кодов на 60.

settings-name = Название: { $account }
settings-button-name = Название
settings-name-ask = Как назвать этот аккаунт? Сейчас он называется { $account }. Отправьте название, не длиннее { $most } знаков.
settings-name-empty = В этом названии нечего прочесть. Отправьте другое.
settings-name-lines = Название — одна строка. Отправьте его без переносов.
settings-name-long = В названии может быть до { $most } знаков, а в этом { $length }. Отправьте покороче.
settings-name-same = Аккаунт уже называется { $account }.
settings-name-set = Сохранено. Аккаунт теперь называется { $account }.
settings-contact = Контакт на ссылках: { $account }
settings-button-contact = Контакт на ссылках
settings-contact-ask = Как с вами связаться покупателям? Эту строку показывает страница каждой ссылки рядом с названием аккаунта. Сейчас: { $account }. Пришлите строку, не длиннее { $most } знаков, например имя в Telegram; или «нет», чтобы не показывать ничего.
settings-contact-empty = В этой строке нечего прочесть. Пришлите другую.
settings-contact-lines = Контакт — одна строка. Пришлите его без переносов.
settings-contact-long = В контакте может быть до { $most } знаков, а в этом { $length }. Пришлите покороче.
settings-contact-same = Страница ваших ссылок уже показывает { $account }.
settings-contact-set = Сохранено. Страница ваших ссылок теперь показывает { $account }.
settings-contact-none = Сохранено. Страница ваших ссылок больше не показывает контакт.
settings-zone = Часовой пояс: { $zone }
settings-button-zone = Часовой пояс
settings-zone-ask = В каком часовом поясе показывать время всем в этом аккаунте? Сейчас выбран { $zone }, там { $time }. Отправьте город ({ $cities }), название пояса, например Europe/Lisbon, или сдвиг, например UTC+3.
settings-zone-set = Сохранено. Время теперь в поясе { $zone }, сейчас там { $time }.
settings-zone-wrong = Такого часового пояса я не знаю. Отправьте город ({ $cities }), название пояса, например Europe/Lisbon, или сдвиг, например UTC+3.
zone-london = Лондон
zone-berlin = Берлин
zone-kyiv = Киев
zone-istanbul = Стамбул
zone-moscow = Москва
zone-dubai = Дубай
zone-yerevan = Ереван
zone-tashkent = Ташкент
zone-almaty = Алматы
zone-dhaka = Дакка
zone-jakarta = Джакарта
zone-shanghai = Шанхай
zone-vladivostok = Владивосток

settings-button-as-telegram = Как в моём Telegram
settings-button-notices = Уведомления
settings-button-stock = Порог склада

settings-notices = Нажмите на уведомление, чтобы включить или выключить его. 🔔 — включено, 🔕 — выключено.
settings-notice-stocklow = Мало кодов{ $under ->
        [none] {""}
       *[other] {" · меньше "}{ $under }
    }
settings-notice-doubtsettled = Исход выяснен
settings-notice-quotaused = Квота кончается
settings-notice-subscriptionends = Подписка кончается
