# Что стоит на каждой странице.
console = Консоль
search = Найти что угодно
menu = Меню
skip = К содержимому
role-owner = Владелец
role-admin = Админ
role-operator = Оператор
role-support = Поддержка
role-host = Администрация сервиса

cancel = Отмена
shown-once = Показывается здесь и больше никогда
done = Готово

ago = { $span } назад
ahead = через { $span }
span-seconds = { $count } с
span-minutes = { $count } мин
span-hours = { $count } ч
span-days = { $count } дн

# Чего не показать и не сделать.
problem-title = Не получилось
problem-back = На страницу «Сегодня»
problem-again = Открыть эту страницу
problem-no-session = Этот браузер не вошёл в консоль, или его сеанс закончился.
problem-not-yours = Вашей роли это недоступно. Спросите владельца аккаунта.
problem-not-fresh = Для этого нужна новая ссылка: это можно в первые пять минут после входа. Отправьте боту /console, перейдите по ссылке и повторите.
not-fresh = Доступно в первые пять минут после входа: отправьте боту /console, он пришлёт новую ссылку.
problem-not-found = Здесь такого нет, или вам этого не видно.
problem-no-page = По этому адресу ничего нет.
problem-other-method = Этот адрес такого не принимает.
problem-other-origin = Эта форма отправлена не со страницы консоли.
problem-bad-form = Форма заполнена не так, как нужно.
problem-invalid = Это не подходит: { $detail }
problem-meanwhile = Кто-то успел раньше, или всё уже изменилось. Посмотрите ещё раз.
problem-no-subscription = Подписки нет, или аккаунт приостановлен.
problem-busy = Сейчас слишком много работы. Попробуйте через несколько секунд.
problem-contested = Похоже, те же коды обслуживает ещё одна машина: ничего не выдаётся.
problem-too-large = Это больше 20 МБ.
problem-too-many-entries = Слишком много попыток с этого адреса. Попробуйте через { $seconds } с.
problem-ours = Ошибка на нашей стороне. Номер { $id }.
