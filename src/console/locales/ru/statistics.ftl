# Поиск и статистика.
search-understood = Искали:
search-first = показаны последние { $count }
search-more-characters = так кончаются и другие коды: нужно больше знаков
search-hint = Фильтры можно и набрать:
menu-statistics = Статистика
statistics-title = Статистика
statistics-show = Показать
statistics-days = { $count ->
        [one] { $count } день
        [few] { $count } дня
       *[other] { $count } дней
    }
statistics-day = День
statistics-by-day = По дням
statistics-by-amount = По суммам
