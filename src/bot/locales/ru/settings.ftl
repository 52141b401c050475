# /settings.

command-settings = Язык, уведомления, запас кодов

language-en = English
language-ru = Русский

settings-title = <b>Настройки</b>
settings-language = Язык: { $language }
settings-language-telegram = Язык: { $language }, как в вашем Telegram
settings-language-set = Теперь я говорю по-русски.
settings-more = Уведомления: какие из них вы хотите получать.
settings-stock-hint = Запас кодов: я предупрежу, когда кодов какого-то номинала останется мало. Можно и сообщением: /settings 60 50 — меньше 50 кодов номинала 60.

settings-button-as-telegram = Как в моём Telegram
settings-button-notices = Уведомления
settings-button-stock = Запас кодов
settings-button-back = Назад
settings-button-never = Никогда

settings-notices = Нажмите на уведомление, чтобы включить или выключить его. 🔔 — включено, 🔕 — выключено.
settings-notice-stocklow = Кодов осталось мало
settings-notice-doubtsettled = Выяснился исход активации
settings-notice-quotaused = Дневная квота кончается
settings-notice-subscriptionends = Подписка кончается

settings-stock = Когда предупреждать, что кодов мало? Выберите номинал.
settings-stock-none = Здесь нет игр с базой кодов, следить не за чем.
settings-lot = { $lot }: меньше { $threshold }
settings-lot-off = { $lot }: никогда
settings-lot-ask = Предупредить, когда кодов { $lot } останется меньше, чем… Другое число можно отправить сообщением: /settings { $denomination } и число.
settings-saved = Сохранено.
settings-threshold-set = Сохранено: предупрежу, когда кодов { $lot } останется меньше { $threshold }.
settings-threshold-off = Сохранено: про { $lot } больше не предупреждаю (порог { $threshold }).
settings-threshold-wrong = Так не получится. Номиналы: { $denominations }. Число — от 0 (никогда) до { $most }. Например: /settings 60 50
