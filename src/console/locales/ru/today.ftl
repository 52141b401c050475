menu-today = Сегодня
today-title = Сегодня
today-nothing = Ничего не ждёт вас.
