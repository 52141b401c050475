# Заказы.
menu-orders = Заказы
orders-title = Заказы
orders-none = Заказов ещё не было.
orders-order = Заказ
orders-at = Время
orders-state = Состояние
orders-player = ID игрока
orders-progress = Коды
orders-amount = Активировано
orders-reference = Номер у вас
orders-game = Игра
orders-from = С
orders-to = По
order-title = Заказ { $name }
order-deadline = Не позже
order-ended = Закончен
order-run = Начат, раз
order-codes = Его коды
order-n = №
order-cancel = Отменить
order-cancel-ask = Начатое закончится; больше ничего из этого заказа не активируется.
order-resume = Возобновить
order-replaced = Продолжен как
order-resume-ask = Недостающее уже заказано другому игроку. Продолжить и этот заказ? Тогда получат оба.
order-state-running = Выполняется
order-state-waiting = Ждёт
order-state-done = Готов
order-state-stopped = Остановлен
order-state-cancelled = Отменён
order-waits-stock = коды
order-waits-quota = квоту
order-waits-subscription = подписку
order-waits-platform = платформу
order-waits-doubt = ясности
order-item-waiting = Ждёт
order-item-running = Выполняется
order-item-inDoubt = Под вопросом
order-item-redeemed = Активирован
order-item-failed = Не удался
order-item-missing = Не хватает
order-reason-DOUBT = что-то под вопросом
order-reason-ITEMS_FAILED = присланные коды не подошли
order-reason-CODE_USED = код уже использован
order-reason-INVALID_CODE = это был не код
order-reason-CHARACTER_NOT_FOUND = игрок не найден
order-reason-RISK_CONTROL = отказ риск-контроля
order-reason-NO_ACCOUNTS_AVAILABLE = у платформы не было свободного аккаунта
order-reason-LOGIN_FAILED = платформе не удалось войти
order-reason-NETWORK_ERROR = платформа недоступна
order-reason-NOT_ENOUGH_STOCK = не хватило кодов
order-reason-QUOTA_EXCEEDED = квота исчерпана
order-reason-SUBSCRIPTION_EXPIRED = нет подписки
order-reason-DEADLINE = вышло время
order-reason-KEY_REVOKED = ключ отозван
order-reason-FORBIDDEN = заказавший больше не может активировать
order-reason-RESTORED = восстановлена резервная копия
said-order-cancelled = Больше ничего из этого заказа не начнётся.
said-order-resumed = Недостающее начато заново.
order-another = Другой ID
another-twice = Это уже заказано: если заказать ещё раз, будет куплено дважды.
another-hint = ID игрока; сначала спросим у платформы имя.
another-look = Найти игрока
another-what = Не хватает: { $what }. Это будет новый заказ, для другого игрока.
another-sure = { $what } для { $name } ({ $player })? Стоит { $count ->
        [one] { $count } активацию
        [few] { $count } активации
       *[other] { $count } активаций
    }.
another-sure-nameless = { $what } для { $player }? Имён платформа не сообщает. Стоит { $count ->
        [one] { $count } активацию
        [few] { $count } активации
       *[other] { $count } активаций
    }.
another-again = Этот игрок только что получил { $what }, или это ещё выполняется.
another-order = Активировать
said-order-placed = Заказ принят.
problem-another-notFound = В этой игре нет игрока с таким ID. Проверьте цифры.
problem-another-unreachable = Платформа не отвечает. Попробуйте через минуту.
problem-another-quotaExceeded = Квота исчерпана.
problem-another-tooManyBadRequests = Слишком много неверных ID. Попробуйте через минуту.
problem-another-tooManyOrders = Открыто слишком много заказов. Дождитесь конца каких-нибудь.
problem-another-notEnoughStock = Для этого не хватает кодов. Сначала добавьте их.
problem-another-noComposition = Для этого не хватает кодов. Сначала добавьте их.
