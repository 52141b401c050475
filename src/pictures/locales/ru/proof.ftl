# Подтверждение чека: картинка для того, кто сомневается в доставке.
proof-title = Пополнено
proof-player = Игрок
proof-player-id = ID игрока
proof-product = Товар
proof-amount = Сумма
proof-when = Дата
proof-settled = Подтверждено платформой
proof-receipt = Чек
proof-code = Код
proof-foot = Платформа активировала этот код для этого игрока.
proof-sandbox = ПЕСОЧНИЦА: ничего настоящего не пополнено
