menu-keys = Ключи API
keys-title = Ключи API
keys-none = Ключей пока нет. С ключом ваша программа активирует и проверяет по HTTP.
keys-key = Ключ
keys-unnamed = без названия
keys-made = Создан
keys-used = Был использован
keys-never = никогда
keys-revoked = отозван
keys-revoke = Отозвать
keys-for = Для чего он?
keys-new = Новый ключ
keys-issued = Новый ключ
keys-issued-text = Скопируйте сейчас: целиком он нигде не хранится.
keys-ask-revoke = Отозвать { $key }? С ним сразу перестанут пускать, а заказы, сделанные с ним, остановятся.
keys-with-addresses = Убрать и вебхуки, которые он зарегистрировал: { $hosts }
said-key-revoked = Ключ отозван.

key-limits = Ограничения
key-limits-title = Ограничения: { $key }
key-limits-text = Пустое поле ничего не ограничивает. Программы узнают ограничения своего ключа через GET /key.
key-limits-day = Активаций за любые 24 часа
key-limits-day-hint = 50 или 12,25
key-limits-addresses = Адреса, с которых он работает
key-limits-addresses-hint = По одному в строке, не больше 20: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32
key-limits-last-day = Последний день
key-limits-keep = Сохранить
key-limits-a-day = { $count } в сутки
key-limits-places = { $count ->
        [one] { $count } адрес
        [few] { $count } адреса
       *[other] { $count } адресов
    }
key-limits-until = до { $day }
said-key-limited = Ограничения действуют с этого момента.
