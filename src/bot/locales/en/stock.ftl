# /add_codes, /extract_codes, /stock, and the thresholds of low stock in /settings.

command-add-codes = Add codes to the stock
command-extract-codes = Take codes out as a file
command-stock = What is in stock

codes-stock-key = { $denomination } { $currency }
codes-no-game = No game here keeps codes in stock, so there is nothing to add or take out.
codes-which-game = Which game?
codes-which-game-again = Please press one of the games.

button-text-says = It’s in the text
button-paste-more = Paste more
button-preview-again = Preview again
button-add-codes = { $n ->
        [one] Add { $count } code
       *[other] Add { $count } codes
    }
button-leave-out = { $count ->
        [one] Leave it out
       *[other] Leave them out
    }
button-good = { $count ->
        [one] It is good
       *[other] They are good
    }
button-are-codes = { $count ->
        [one] It is a code: add it
       *[other] They are codes: add them
    }
button-another = Another denomination
button-drop = { $count ->
        [one] Drop it
       *[other] Drop them
    }
button-delete-pasted = Delete my paste
button-add-more = Add more
button-stock-key-available = { $stockKey } ({ $available })
button-send-again = Send again
button-take-all = All { $count }

add-stock-key-by-text = denominations as the text says
add-which-denomination =
    <b>{ $game }</b>
    Which denomination are the codes?
    If the paste names it, in lines such as “60:” or in a column, press “It’s in the text”.
add-which-instead =
    <b>{ $game }</b> has no denomination { $amount }.
    Which one are the codes?
add-paste =
    <b>{ $game }</b> · { $stockKey }
    Paste the codes now, or send .txt, .csv or .xlsx files of up to 20 MB. Several messages are fine: below them stands what I have read.
add-joined = ↪ Joined to what you sent before.
add-open = { $count ->
        [one] <b>{ $count } code</b> that you sent before is not added yet.
       *[other] <b>{ $count } codes</b> that you sent before are not added yet.
    }
add-open-dropped = { $count ->
        [one] { $count } code that you sent before is dropped.
       *[other] { $count } codes that you sent before are dropped.
    }
add-dropped =
    Cancelled. Nothing was added, and what you pasted is dropped: { $messages ->
        [0] {""}
        [one] { $messages } message
       *[other] { $messages } messages
    }{ $files ->
        [0] {""}
       *[other] { $messages ->
            [0] {""}
           *[other] {", "}
        }
    }{ $files ->
        [0] {""}
        [one] { $files } file
       *[other] { $files } files
    }.
add-reading = Reading what you sent…
add-nothing-yet = Nothing was sent yet. Paste codes or send a file first.
add-decided = These codes were already added or cancelled. New ones: /add_codes
add-full = That is more than one batch can hold, so this one was <b>not</b> taken. Add what is there, then begin again with the rest.

add-wrong-photo = I cannot read codes from pictures, so this one was not taken. Please send them as text, or as a .txt, .csv or .xlsx file.
add-wrong-kind = I cannot read codes from this, so it was not taken. Please send them as text, or as a .txt, .csv or .xlsx file.
add-this-file = this file
add-wrong-file = I read .txt, .csv and .xlsx files, so { $file } was not taken. A table can be saved as one of them and sent again.
add-file-too-big = { $file } is larger than 20 MB, so it was not taken. Please cut it into smaller files.
add-file-too-long = { $file } holds more than 100,000 rows, or more than I can unpack, so it was not taken. Please cut it into smaller files.
add-file-unreachable = Telegram did not give me { $file }, so it was not taken. Please send it again.

add-preview =
    <b>Preview</b> · { $game }{ $stockKey ->
        [none] {""}
       *[other] {" · "}{ $stockKey }
    }
    Read: { $messages ->
        [0] {""}
        [one] { $messages } message
       *[other] { $messages } messages
    }{ $files ->
        [0] {""}
       *[other] { $messages ->
            [0] {""}
           *[other] {", "}
        }
    }{ $files ->
        [0] {""}
        [one] { $files } file
       *[other] { $files } files
    }.
add-preview-heading = “{ $text }” → <b>{ $stockKey }</b>: { $count ->
        [0] no codes
        [one] { $count } code
       *[other] { $count } codes
    }
add-preview-headings-more = … and { $count } more { $count ->
        [one] heading
       *[other] headings
    }
add-preview-asked = “{ $text }” → <b>?</b> { $count ->
        [one] { $count } code
       *[other] { $count } codes
    }
add-preview-asked-nothing = No clear heading → <b>?</b> { $count ->
        [one] { $count } code
       *[other] { $count } codes
    }
add-ask = <b>Which denomination { $count ->
        [one] is the { $count } code
       *[other] are the { $count } codes
    } under “{ $text }”?</b> Nothing is added before that is clear.
add-ask-good = <b>{ $count ->
        [one] { $count } code stands beside “{ $text }”. Is it good?
       *[other] { $count } codes stand beside “{ $text }”. Are they good?
    }</b> Nothing is added before that is clear.
add-ask-nothing = <b>{ $count ->
        [one] What is this code worth?
       *[other] What are these { $count } codes worth?
    }</b> Nothing is added before that is clear.
add-preview-left-out = { $count ->
        [one] { $count } code is left out, as you said.
       *[other] { $count } codes are left out, as you said.
    }
add-preview-stock-key = <b>{ $stockKey }</b>: { $fresh } new{ $ours ->
        [0] {""}
       *[other] {", "}{ $ours } already ours or used
    }{ $others ->
        [0] {""}
       *[other] {", "}{ $others } someone else’s
    }
add-preview-supplier = Supplier: { $supplier }
add-supplier-ask = Which supplier are these codes from? Press one of the last, or send its name.
button-supplier = Supplier
button-no-supplier = None
add-preview-none = No codes with a denomination were found.
add-preview-repeated = { $count ->
        [one] { $count } code was pasted twice; it counts once.
       *[other] { $count } codes were repeated; each counts once.
    }
add-preview-not-understood = { $count ->
        [one] { $count } is not understood and will not be added:
       *[other] { $count } are not understood and will not be added:
    }
add-preview-example = <tg-spoiler>{ $text }</tg-spoiler>
add-preview-foreign-letter = <b>{ $letter }</b> in a code is no Latin letter, though it may look like one: please send that code again.
add-preview-changed = A spreadsheet has changed some of these codes (1.23E+15, or zeros at the end). Please send the original.
add-preview-too-many = There are more than 100,000 codes. Only the first 100,000 are read; add the rest in another batch.
add-preview-next = Nothing is stored yet; what else you send comes in here.
add-preview-nothing = There is nothing new to add.

add-adding = Adding… { $done } of { $count }
add-added =
    <b>Batch { $batch }</b>: { $added ->
        [one] { $added } code added.
       *[other] { $added } codes added.
    }
    In stock now:
    { $stock }
add-stock-line = { $stockKey }: { $available }
add-cancelled = Cancelled. Nothing was added.
add-withdrawn = This preview is taken back, and nothing was added. I keep what you pasted as I read it; what is changed later I do not read. To correct it, press <b>Cancel</b> and paste it again.
add-changed = More came after this preview, so nothing was added. Look at it again first.

pasted-deleted = { $deleted ->
        [0] No pasted message was deleted.
        [one] { $deleted } pasted message was deleted.
       *[other] { $deleted } pasted messages were deleted.
    }{ $kept ->
        [0] {""}
        [one] {" "}{ $kept } holds something that was not added, and stays.
       *[other] {" "}{ $kept } hold something that was not added, and stay.
    }{ $failed ->
        [0] {""}
       *[other] {" "}Telegram did not let me delete { $failed }.
    }
pasted-not-deleted = Telegram did not let me delete the pasted messages. Please delete them yourself.
delete-late-tap = Telegram lets me delete messages for two days, and that is over. Please delete them yourself.

undo-running = Taking the batch back…
undo-done = <b>Batch { $batch }</b> is undone: { $taken ->
        [one] { $taken } code was taken back.
       *[other] { $taken } codes were taken back.
    }{ $gone ->
        [0] {""}
        [one] {" "}{ $gone } had left the stock before.
       *[other] {" "}{ $gone } had left the stock before.
    }{ $held ->
        [0] {""}
        [one] {" "}{ $held } is being redeemed: if it comes back, it is taken back, too, and I tell you.
       *[other] {" "}{ $held } are being redeemed: those that come back are taken back, too, and I tell you.
    }
undo-done-before = <b>Batch { $batch }</b> is undone.
undo-late = <b>Batch { $batch }</b> cannot be undone any more: that works for an hour. /extract_codes takes codes out at any time.
undo-late-tap = Undo works for an hour, and that is over. Nothing was done. /extract_codes takes codes out at any time.

command-batches = The last batches of codes, and undoing them
batches-title = <b>The last batches</b>
batches-empty = Nothing was added to the stock yet. Add codes with /add_codes.
batches-one =
    <b>Batch { $batch }</b> · { $game }
    { $when } · { $who }{ $supplier ->
        [none] {""}
       *[other] {" · "}from { $supplier }
    }
    { $count ->
        [one] { $count } code added
       *[other] { $count } codes added
    }
batches-fate = { $fate ->
        [available] { $count } available
        [redeemed] { $count } redeemed
        [held] { $count } being redeemed
        [inDoubt] { $count } in doubt
        [inQuestion] { $count } in question
        [extracted] { $count } taken out
        [undone] { $count } taken back
       *[spent] { $count } used or invalid
    }
batches-undo = Undo batch { $batch }
batches-bad = Bad codes of batch { $batch }
batches-newest = ‹ Newest
batches-undo-ask =
    Undo <b>batch { $batch }</b> ({ $count ->
        [one] { $count } code
       *[other] { $count } codes
    })? What is still available is taken back and comes to you as a file; what has left the stock stays as it is.
undo-done-tap = This batch is undone already.

undo-caption =
    { undo-done }
    { $game }. “Send again” gives this file for a day.
file-refused = Telegram did not take the file. Press “Send again” in a moment.

extractions-title = <b>The last extractions</b>
extractions-one =
    <b>Extraction { $batch }</b> · { $game }
    { $when } · { $who }
    { $count ->
        [one] { $count } code
       *[other] { $count } codes
    } of { $stockKey }
extractions-again = Send { $batch } again
extract-empty = There are no codes of { $game } in stock. Add some with /add_codes.
extract-none = There are no codes of { $game }, { $stockKey }, in stock. /stock shows what there is.
extract-paused = ⏸ <b>{ $stockKey }</b> ({ $game }) is paused: the platform refused five of its codes in a row. Nothing is taken out until you press “Go on”. The codes refused: /stock
extract-which = Which denomination shall I take out?
extract-which-instead = There are no codes of { $amount } in stock. Which denomination shall I take out?
extract-how-many =
    How many codes of <b>{ $stockKey }</b> ({ $game }) shall I take out?
    In stock: { $available }. You get them as a file, and they leave the stock for good. You can also write another number.
extract-how-many-again = Please write how many codes of { $stockKey } to take out, as a number. There { $available ->
        [one] is { $available }.
       *[other] are { $available }.
    }
extract-confirm =
    Take out <b>{ $amount ->
        [one] { $amount } code
       *[other] { $amount } codes
    }</b> of <b>{ $stockKey }</b> ({ $game })?
    In stock: { $available }. You get them as a file, and they leave the stock for good.
extract-button = Take out { $count }
extract-confirm-fewer =
    { $isAll ->
        [yes] There { $amount ->
            [one] is only { $amount }
           *[other] are only { $amount }
        } in stock.
       *[no] You asked for { $asked }, but { $amount } is the most at once.
    }
    Take out <b>{ $amount ->
        [one] { $amount } code
       *[other] { $amount } codes
    }</b> of <b>{ $stockKey }</b> ({ $game })?
    In stock: { $available }. You get them as a file, and they leave the stock for good.
extract-running = Taking them out…
extract-caption =
    <b>Extraction { $batch }</b>: { $count ->
        [one] { $count } code
       *[other] { $count } codes
    } of { $stockKey } ({ $game })
extract-caption-fewer =
    { extract-caption }
    There were fewer than { $asked } by then.
extract-again-late = This file can be sent again for a day only, and that is over.

stock-game = <b>{ $game }</b>
stock-line = <b>{ $stockKey }</b>: { $available } available{ $reserved ->
        [0] {""}
       *[other] {", "}{ $reserved } reserved
    }{ $inDoubt ->
        [0] {""}
       *[other] {", "}{ $inDoubt } in doubt
    }, { $spent } spent today
stock-lasts = { $days ->
        [0] lasts less than a day
        [one] lasts about { $days } day
       *[other] lasts about { $days } days
    }
stock-none = None yet: { $stockKeys }
stock-promised = { $count } promised to orders
stock-paused = ⏸ paused
stock-note = “Today” began at 00:00, { $zone }.
button-bad-codes = Refused codes ({ $count })
button-bad-file = File · { $stockKey }
button-bad-release = Put back · { $stockKey }
button-put-back = { $count ->
        [one] Put { $count } code back
       *[other] Put { $count } codes back
    }
button-bad-which = Which are they?
button-bad-again = Try again · { $stockKey }
button-go-on-stock-key = Go on · { $stockKey }
button-go-on = Go on
button-try-bad = { $count ->
        [one] Try { $count } code again
       *[other] Try { $count } codes again
    }
bad-title = <b>Codes that the platform refused</b>
bad-line = <b>{ $stockKey }</b>: { $used } used, { $invalid } invalid
bad-in-question = Perhaps handed out: { $count }. The service was restored, and nobody takes these codes until you say which of them your buyers have.
bad-released = { $count ->
        [one] { $count } code of <b>{ $stockKey }</b> is back
       *[other] { $count } codes of <b>{ $stockKey }</b> are back
    } in the stock: where the platform can be asked, it is asked about each before it is used.
bad-buyers-ask = { $count ->
        [one] { $count } code of <b>{ $stockKey }</b> may have been handed out
       *[other] { $count } codes of <b>{ $stockKey }</b> may have been handed out
    } in the time that the restore has lost. Send me those that your buyers have: they stay away. Then put the others back; at once where the buyers have none.
bad-buyers-kept = { $kept ->
        [0] None of these may have been handed out.
       *[other] With buyers: { $kept } of <b>{ $stockKey }</b>, one extraction now.
    } { $count ->
        [0] None is left.
        [one] { $count } is left: send it if it is with a buyer, too, or put it back.
       *[other] { $count } are left: send more, or put them back.
    }
bad-which-caption = { $count ->
        [one] { $count } code
       *[other] { $count } codes
    } that may have been handed out. That you have read them stands in the log.
bad-none = No code of the stock was refused, and nothing is paused.
bad-none-tap = There is nothing like that any more.
bad-goes-on = ▶ <b>{ $stockKey }</b> goes on. After five refusals in a row it is paused again.
bad-goes-on-already = <b>{ $stockKey }</b> is not paused.
bad-again-ask = Try { $count ->
        [one] { $count } refused code
       *[other] { $count } refused codes
    } of <b>{ $stockKey }</b> again? { $count ->
        [one] It goes
       *[other] They go
    } back into the stock, and the platform is asked about each before it is used.
bad-tried = { $count ->
        [one] { $count } code
       *[other] { $count } codes
    } of <b>{ $stockKey }</b> back in the stock. The platform is asked about each before it is used.
bad-caption = { $count ->
        [one] { $count } code
       *[other] { $count } codes
    } that the platform refused, with its answer and when (UTC).

settings-stock = I tell when codes run low: under a tenth of the first batch, at least 5, and when none is left.
settings-stock-ask = To change that, send a denomination and a number: 60 50 tells under 50 codes of 60. Several may stand on a line each. 0 or off: never.
settings-stock-none = No game here keeps codes in stock, so there is nothing to watch.
settings-stock-key = { $stockKey }: under { $threshold }
settings-stock-key-off = { $stockKey }: off
settings-stock-key-open = { $stockKey }: by itself
settings-threshold-set = Saved: I tell you when fewer than { $threshold } codes of { $stockKey } are left.
settings-threshold-off = Saved: I do not tell you about { $stockKey } any more (threshold { $threshold }).
settings-threshold-wrong = That does not fit. Denominations: { $denominations }. The number may be 0 (never) to { $most }. For example: 60 50
