# /redeem: от первого вопроса до последнего подтверждения. Ход и исход — в receipts.ftl.

command-redeem = Активировать код игроку

button-redeem = Активировать
button-thats-the-one = Да, это он
button-send-code = Прислать свой код

redeem-game = Какая игра?
redeem-player = Пришлите ID игрока: от 5 до 20 цифр, как в игре.
redeem-player-or-known = Пришлите ID игрока или выберите одного из последних.
redeem-player-form = Это не ID игрока. В нём от 5 до 20 цифр и ничего больше.
redeem-player-unknown = Игрока с таким ID в этой игре нет. Проверьте цифры.
redeem-unreachable = Игра сейчас не сообщает имя. Ничего не списано. Попробуйте ещё раз чуть позже.
redeem-is-it = Это <b>{ $name }</b>, ID { $player }?
redeem-what = Что активировать?
redeem-denomination = { $what } · осталось { $count }
redeem-stock-empty = Коды закончились. Добавьте их командой /add_codes или пришлите код, который нужно активировать.
redeem-none-left = Кодов на { $what } не осталось.
redeem-code = Пришлите код для { $game }.
redeem-code-form = Это не похоже на код для { $game }. Проверьте и пришлите ещё раз или выберите кнопку.
redeem-usage =
    Отправьте /redeem, и я спрошу остальное, или сразу всё:
    /redeem 5170925570 60
    Это ID игрока, а затем номинал или код.

redeem-confirm =
    <b>Активировать?</b>
    Игра: { $game }
    Игрок: <b>{ $name }</b>, ID { $player }
redeem-confirm-stock = Что: { $what } из базы
redeem-confirm-code = Что: код <tg-spoiler>{ $code }</tg-spoiler>
redeem-confirm-cost = Цена: 1 активация
redeem-cancelled = Прервано. Ничего не активировано.
redeem-refused-too-often = За последнюю минуту слишком много заказов вашего аккаунта не удалось выполнить. Ничего не списано. Попробуйте ещё раз через { $seconds } с.

redeem-gone = Вы больше не участник аккаунта, где шла активация { $id }, поэтому её итог показать нельзя.
