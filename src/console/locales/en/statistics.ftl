# Search and statistics.
search-understood = Looked for:
search-first = the newest { $count } are shown
search-more-characters = more codes end so: more characters find it
search-hint = Filters can be typed, too:
menu-statistics = Statistics
statistics-title = Statistics
statistics-show = Show
statistics-days = { $count } days
statistics-day = Day
statistics-by-day = By day
statistics-by-amount = By amount
