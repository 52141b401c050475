# Списки, чего бы то ни было.
list-filter = Отобрать
list-more-filters = Ещё отбор
list-all = Показать всё
list-any = все
list-today = Сегодня
list-yesterday = Вчера
list-week = 7 дней
list-csv = Скачать CSV
list-csv-more = Это не всё: в файл входит не больше { $count } строк. Остальные — через фильтры списка.
list-csv-full = CSV с кодами
list-count = { $count ->
        [one] { $count } строка
        [few] { $count } строки
       *[other] { $count } строк
    }
list-more-than = больше { $count } строк
list-shown = { $count ->
        [one] { $count } строка на этой странице
        [few] { $count } строки на этой странице
       *[other] { $count } строк на этой странице
    }
list-searched = просмотрено до { $day }
list-nothing-so = Ничего не найдено.
list-next = Дальше
list-previous = Назад
list-first = Первая страница
list-search-on = Искать дальше
list-pages = Страницы
list-full-title = Файл с кодами и логинами
list-reason = Для чего он?
list-reason-hint = Это попадёт в журнал вместе с вашим именем и отбором.
problem-list-parameter = Здесь нет «{ $given }». Есть: { $known }.
problem-list-twice = «{ $given }» указано дважды или рядом с тем, чему противоречит. Есть: { $known }.
problem-list-value = «{ $given }» не подходит для { $name }. Подходит: { $known }.
problem-list-cursor = «{ $given }» — не место этого списка. Уберите «after» и «before», чтобы начать сначала.
problem-list-reason = Напишите, для чего файл, не длиннее 200 знаков.
problem-list-csv-page = В CSV входит весь список: уберите «after» и «before».
problem-list-csv-running = Для этого сеанса файл уже готовится. Дождитесь его или остановите.
