menu-today = Today
today-title = Today
today-nothing = Nothing needs you.
