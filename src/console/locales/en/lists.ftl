# Lists, whatever they are of.
list-filter = Filter
list-more-filters = More filters
list-all = Show all
list-any = any
list-today = Today
list-yesterday = Yesterday
list-week = 7 days
list-csv = Download CSV
list-csv-more = There are more: a file holds { $count } rows. Filter the list for the others.
list-csv-full = CSV with codes
list-count = { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }
list-more-than = more than { $count } rows
list-shown = { $count ->
        [one] { $count } row on this page
       *[other] { $count } rows on this page
    }
list-searched = searched back to { $day }
list-nothing-so = Nothing matches.
list-next = Next
list-previous = Previous
list-first = First page
list-search-on = Search on
list-pages = Pages
list-full-title = A file with codes and logins
list-reason = What is it for?
list-reason-hint = It is written in the log, with your name and the filters.
problem-list-parameter = There is no “{ $given }” here. There are: { $known }.
problem-list-twice = “{ $given }” is given twice, or beside what it contradicts. There are: { $known }.
problem-list-value = “{ $given }” is nothing that { $name } can be. It can be: { $known }.
problem-list-cursor = “{ $given }” is no place of this list. Leave out “after” and “before” to begin at its beginning.
problem-list-reason = Say what the file is for, in 200 characters at most.
problem-list-csv-page = A CSV holds all of the list: leave out “after” and “before”.
problem-list-csv-running = A file is being made for this session. Wait until it is there, or stop it.
