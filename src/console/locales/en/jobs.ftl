# Bulk work that was set aside.
menu-jobs = Set aside
jobs-title = Bulk work set aside
jobs-none = Nothing was set aside in the last two days.
jobs-what = What
jobs-done = Gone through
jobs-done-of = { $done } of { $total }
jobs-since = Since
jobs-by = By
jobs-add = Adding codes, batch { $id }
jobs-undo = Taking batch { $id } back
jobs-extract = Extraction { $id }
jobs-add-next = What was added stays in the stock. Paste the others again.
jobs-undo-next = The service administrator can help.
jobs-extract-next = What was taken out is sent to whoever ordered it. Order the rest anew.
