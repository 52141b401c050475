menu-stock = Stock
stock-state = State
stock-title = Stock
stock-none = There were never codes here.
stock-denomination = Denomination
stock-available = Available
stock-promised = Promised
stock-in-doubt = In doubt
stock-today = Spent today
stock-week = In 7 days
stock-lasts = Lasts
stock-days = { $days ->
        [0] less than a day
        [one] { $days } day
       *[other] { $days } days
    }
stock-enough = enough
stock-low = low
stock-empty = none left
stock-paused = paused: codes were refused
stock-go-on = Go on
stock-add = Add codes
said-stock-goes-on = Codes of it are taken again.

put-back-some = { $count } perhaps handed out
put-back-title = Perhaps handed out
put-back-text = The service was restored from a backup, and these codes of { $stockKey } may have been handed out in the time that was lost. Nobody takes them until you say which of them your buyers have.
put-back-show = Show these codes
put-back-codes = These codes
put-back-buyers = Codes that your buyers have
put-back-buyers-hint = Paste them as they are, also with others among them; nothing where they have none. They stay away, as an extraction. Each of the others is asked about before it is used.
put-back-do = Put the others back
said-put-back = What your buyers have stays away; the others are back in the stock.

add-title = Add codes
add-open = Codes that you sent before are not added yet.
add-open-go-on = Look at them
add-which = Denomination
add-which-hint = Of codes that the text says none for
add-by-text = As the text says
add-paste = Codes, as your supplier sends them
add-paste-hint = One a line, lists with headings (“660 UC”), tables: what is not clear is asked before anything is added.
add-files = Or files: .txt, .csv, .xlsx
add-look = Preview
add-nothing-yet = Nothing is added yet.
add-decided = These codes were already added, or dropped.
add-preview-title = What would be added
add-collected = Sent: { $messages ->
        [one] { $messages } text
       *[other] { $messages } texts
    }, { $files ->
        [one] { $files } file
       *[other] { $files } files
    }
add-no-codes = No codes with a denomination were found.
add-new = New
add-ours = You have them
add-others = Of others
add-ask = “{ $text }” stands over { $count ->
        [one] { $count } code
       *[other] { $count } codes
    }. What are they worth?
add-ask-nothing = { $count ->
        [one] { $count } code has
       *[other] { $count } codes have
    } no clear heading. What are they worth?
add-ask-good = “{ $text }” stands beside { $count ->
        [one] { $count } code. Is it good?
       *[other] { $count } codes. Are they good?
    }
add-good = They are good, for what the paste says
add-are-codes = { $count ->
        [one] It is a code: add it
       *[other] They are codes: add them
    }
add-choose = Choose…
add-leave-out = Leave them out
add-answer = Answer
add-headings = { $count ->
        [one] { $count } heading, as it was read
       *[other] { $count } headings, as they were read
    }
add-count = { $count ->
        [one] { $count } code
       *[other] { $count } codes
    }
add-repeated = { $count ->
        [one] { $count } code was sent more than once; it is counted once.
       *[other] { $count } codes were sent more than once; each is counted once.
    }
add-left-out = { $count ->
        [one] { $count } code is left out.
       *[other] { $count } codes are left out.
    }
add-not-understood = { $count ->
        [one] { $count } thing was not understood:
       *[other] { $count } things were not understood:
    }
add-foreign-letter = { $letter } in a code is no Latin letter, though it may look like one. Send that code again.
add-changed = A spreadsheet has changed some of these codes (1.23E+15, or zeros at the end). Send the original.
add-too-many = There are more than 100,000 codes: only the first 100,000 are read. Add the rest afterwards.
add-supplier = Supplier
add-keep = Keep
add-codes = { $count ->
        [one] Add { $count } code
       *[other] Add { $count } codes
    }
add-more = Send more
add-drop = Drop
add-answer-first = First answer what is asked.
add-none-new = There is nothing new to add.
said-codes-joined = Joined to what you sent before.
said-codes-dropped = Nothing was added.
said-codes-added = Codes added. For an hour they can be taken back, those that are still available.
said-codes-undone = The codes are taken back.
problem-nothing-pasted = Nothing was sent: paste codes, or choose a file.
problem-other-import = Codes of another game that you sent before are not added yet. Add or drop them first; go back in your browser to keep this text.
problem-import-full = That is more than one batch can hold. Add what is there, then the rest.
problem-file-unreadable = { $file } cannot be read. A table can be saved as .csv or .xlsx and sent again.
problem-undo-late = An import can be undone for an hour, and it is older.
