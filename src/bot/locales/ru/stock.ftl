# /add_codes, /extract_codes, /stock и пороги склада в /settings.

command-add-codes = Добавить коды на склад
command-extract-codes = Забрать коды файлом
command-stock = Что есть на складе

codes-stock-key = { $denomination } { $currency }
codes-no-game = Ни у одной игры здесь нет склада кодов, поэтому добавлять и забирать нечего.
codes-which-game = Какая игра?
codes-which-game-again = Нажмите, пожалуйста, одну из игр.

button-text-says = Указан в тексте
button-paste-more = Вставить ещё
button-preview-again = Показать снова
button-add-codes = { $n ->
        [one] Добавить { $count } код
        [few] Добавить { $count } кода
       *[many] Добавить { $count } кодов
    }
button-leave-out = { $count ->
        [one] Не добавлять его
       *[other] Не добавлять их
    }
button-good = { $count ->
        [1] Код годен
       *[other] Коды годны
    }
button-are-codes = { $count ->
        [1] Это код: добавить
       *[other] Это коды: добавить
    }
button-another = Другой номинал
button-drop = { $count ->
        [one] Отбросить его
       *[other] Отбросить их
    }
button-delete-pasted = Удалить вставку
button-add-more = Ещё коды
button-stock-key-available = { $stockKey } ({ $available })
button-send-again = Прислать ещё раз
button-take-all = Все { $count }

add-stock-key-by-text = номиналы указаны в тексте
add-which-denomination =
    <b>{ $game }</b>
    Какого номинала коды?
    Если номинал указан в самом тексте — строкой вроде «60:» или столбцом, — нажмите «Указан в тексте».
add-which-instead =
    У <b>{ $game }</b> нет номинала { $amount }.
    Какого номинала коды?
add-paste =
    <b>{ $game }</b> · { $stockKey }
    Вставьте коды или пришлите файлы .txt, .csv или .xlsx до 20 МБ. Можно несколькими сообщениями: под ними видно, что я прочитал.
add-joined = ↪ Добавлено к тому, что вы прислали раньше.
add-open = { $count ->
        [one] <b>{ $count } код</b>, присланный раньше, ещё не добавлен.
        [few] <b>{ $count } кода</b>, присланные раньше, ещё не добавлены.
       *[many] <b>{ $count } кодов</b>, присланные раньше, ещё не добавлены.
    }
add-open-dropped = { $count ->
        [one] { $count } код, присланный раньше, отброшен.
        [few] { $count } кода, присланные раньше, отброшены.
       *[many] { $count } кодов, присланные раньше, отброшены.
    }
add-dropped =
    Отменено. Ничего не добавлено, а вставленное отброшено: { $messages ->
        [0] {""}
        [one] { $messages } сообщение
        [few] { $messages } сообщения
       *[many] { $messages } сообщений
    }{ $files ->
        [0] {""}
       *[other] { $messages ->
            [0] {""}
           *[other] {", "}
        }
    }{ $files ->
        [0] {""}
        [one] { $files } файл
        [few] { $files } файла
       *[many] { $files } файлов
    }.
add-reading = Читаю присланное…
add-nothing-yet = Пока ничего не прислано. Вставьте коды или пришлите файл.
add-decided = Эти коды уже добавлены или отменены. Новые: /add_codes
add-full = Это больше, чем можно добавить за один раз, поэтому последнее <b>не принято</b>. Добавьте собранное, а остальное — следующим разом.

add-wrong-photo = Я не умею читать коды с картинок, поэтому эту не принял. Пришлите их текстом или файлом .txt, .csv или .xlsx.
add-wrong-kind = Из такого сообщения я не могу прочитать коды, поэтому не принял его. Пришлите их текстом или файлом .txt, .csv или .xlsx.
add-this-file = этот файл
add-wrong-file = Я читаю файлы .txt, .csv и .xlsx, поэтому { $file } не принят. Таблицу можно сохранить в одном из этих видов и прислать снова.
add-file-too-big = { $file } больше 20 МБ, поэтому не принят. Разделите его, пожалуйста, на несколько файлов.
add-file-too-long = { $file } не принят: в нём больше 100 000 строк или больше, чем я могу распаковать. Разделите его, пожалуйста, на несколько файлов.
add-file-unreachable = Telegram не отдал мне { $file }, поэтому файл не принят. Пришлите его, пожалуйста, ещё раз.

add-preview =
    <b>Проверка</b> · { $game }{ $stockKey ->
        [none] {""}
       *[other] {" · "}{ $stockKey }
    }
    Прочитано: { $messages ->
        [0] {""}
        [one] { $messages } сообщение
        [few] { $messages } сообщения
       *[many] { $messages } сообщений
    }{ $files ->
        [0] {""}
       *[other] { $messages ->
            [0] {""}
           *[other] {", "}
        }
    }{ $files ->
        [0] {""}
        [one] { $files } файл
        [few] { $files } файла
       *[many] { $files } файлов
    }.
add-preview-heading = «{ $text }» → <b>{ $stockKey }</b>: { $count ->
        [0] кодов нет
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    }
add-preview-headings-more = … и ещё { $count ->
        [one] { $count } заголовок
        [few] { $count } заголовка
       *[many] { $count } заголовков
    }
add-preview-asked = «{ $text }» → <b>?</b> { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    }
add-preview-asked-nothing = Без понятного заголовка → <b>?</b> { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    }
add-ask = <b>Какого номинала { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    } под «{ $text }»?</b> Пока это не ясно, ничего не добавляю.
add-ask-good = <b>{ $count ->
        [one] { $count } код стоит рядом с «{ $text }». Он годен?
        [few] { $count } кода стоят рядом с «{ $text }». Они годны?
       *[many] { $count } кодов стоят рядом с «{ $text }». Они годны?
    }</b> Пока это не ясно, ничего не добавляю.
add-ask-nothing = <b>Какого номинала { $count ->
        [1] этот код
        [one] { $count } код
        [few] эти { $count } кода
       *[many] эти { $count } кодов
    }?</b> Пока это не ясно, ничего не добавляю.
add-preview-left-out = { $count ->
        [one] { $count } код не добавляем, как вы и сказали.
        [few] { $count } кода не добавляем, как вы и сказали.
       *[many] { $count } кодов не добавляем, как вы и сказали.
    }
add-preview-stock-key = <b>{ $stockKey }</b>: новых { $fresh }{ $ours ->
        [0] {""}
       *[other] {", "}уже добавленных или использованных { $ours }
    }{ $others ->
        [0] {""}
       *[other] {", "}чужих { $others }
    }
add-preview-supplier = Поставщик: { $supplier }
add-supplier-ask = От какого поставщика эти коды? Нажмите на одного из последних или пришлите название.
button-supplier = Поставщик
button-no-supplier = Без поставщика
add-preview-none = Кодов с номиналом не нашлось.
add-preview-repeated = { $count ->
        [one] { $count } код повторялся; он считается один раз.
        [few] { $count } кода повторялись; каждый считается один раз.
       *[many] { $count } кодов повторялись; каждый считается один раз.
    }
add-preview-not-understood = Не понятно и не будет добавлено: { $count }
add-preview-example = <tg-spoiler>{ $text }</tg-spoiler>
add-preview-foreign-letter = <b>{ $letter }</b> в коде не латинская буква, хотя и похожа: пришлите этот код заново.
add-preview-changed = Некоторые коды изменила таблица (1,23E+15 или нули в конце). Пришлите исходные.
add-preview-too-many = Кодов больше 100 000. Прочитаны только первые 100 000, остальные добавьте следующим разом.
add-preview-next = Пока ничего не сохранено; что пришлёте ещё, войдёт сюда.
add-preview-nothing = Новых кодов здесь нет.

add-adding = Добавляю… { $done } из { $count }
add-added =
    <b>Партия { $batch }</b>: { $added ->
        [one] добавлен { $added } код.
        [few] добавлено { $added } кода.
       *[many] добавлено { $added } кодов.
    }
    Теперь на складе:
    { $stock }
add-stock-line = { $stockKey }: { $available }
add-cancelled = Отменено. Ничего не добавлено.
add-withdrawn = Эта проверка отозвана, ничего не добавлено. Вставленное осталось таким, каким я его прочитал; исправленное позже я не читаю. Чтобы исправить, нажмите <b>Отмена</b> и вставьте заново.
add-changed = После этой проверки пришли ещё коды, поэтому ничего не добавлено. Сначала проверьте ещё раз.

pasted-deleted = { $deleted ->
        [0] Ни одного присланного сообщения не удалено.
        [one] Удалено { $deleted } присланное сообщение.
        [few] Удалено { $deleted } присланных сообщения.
       *[many] Удалено { $deleted } присланных сообщений.
    }{ $kept ->
        [0] {""}
        [one] {" "}Ещё { $kept } осталось: в нём есть то, что не добавлено.
       *[other] {" "}Ещё { $kept } осталось: в них есть то, что не добавлено.
    }{ $failed ->
        [0] {""}
       *[other] {" "}Telegram не дал удалить: { $failed }.
    }
pasted-not-deleted = Telegram не дал удалить присланные сообщения. Удалите их, пожалуйста, сами.
delete-late-tap = Telegram разрешает мне удалять сообщения в течение двух дней, и они прошли. Удалите их, пожалуйста, сами.

undo-running = Забираю партию обратно…
undo-done = <b>Партия { $batch }</b> отменена: { $taken ->
        [one] вам возвращён { $taken } код.
        [few] вам возвращено { $taken } кода.
       *[many] вам возвращено { $taken } кодов.
    }{ $gone ->
        [0] {""}
        [one] {" "}{ $gone } код уже ушёл со склада раньше.
        [few] {" "}{ $gone } кода уже ушли со склада раньше.
       *[many] {" "}{ $gone } кодов уже ушли со склада раньше.
    }{ $held ->
        [0] {""}
        [one] {" "}{ $held } код сейчас активируется: если он вернётся, отдам и его и сообщу.
        [few] {" "}{ $held } кода сейчас активируются: вернувшиеся отдам тоже и сообщу.
       *[many] {" "}{ $held } кодов сейчас активируются: вернувшиеся отдам тоже и сообщу.
    }
undo-done-before = <b>Партия { $batch }</b> отменена.
undo-late = <b>Партию { $batch }</b> уже не вернуть: на это есть час. Забрать коды можно всегда: /extract_codes.
undo-late-tap = Вернуть можно в течение часа, и он прошёл. Ничего не сделано. Забрать коды можно всегда: /extract_codes.

command-batches = Последние партии кодов и их отмена
batches-title = <b>Последние партии</b>
batches-empty = На склад ещё ничего не добавляли. Добавьте коды: /add_codes.
batches-one =
    <b>Партия { $batch }</b> · { $game }
    { $when } · { $who }{ $supplier ->
        [none] {""}
       *[other] {" · "}от { $supplier }
    }
    { $count ->
        [one] добавлен { $count } код
        [few] добавлено { $count } кода
       *[many] добавлено { $count } кодов
    }
batches-fate = { $fate ->
        [available] на складе { $count }
        [redeemed] активировано { $count }
        [held] активируется { $count }
        [inDoubt] под вопросом { $count }
        [inQuestion] под вопросом после восстановления { $count }
        [extracted] забрано { $count }
        [undone] возвращено { $count }
       *[spent] использовано или недействительно { $count }
    }
batches-undo = Вернуть партию { $batch }
batches-bad = Плохие коды партии { $batch }
batches-newest = ‹ К последним
batches-undo-ask =
    Вернуть <b>партию { $batch }</b> ({ $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    })? Всё, что ещё на складе, придёт вам файлом; что уже ушло, останется как есть.
undo-done-tap = Эта партия уже отменена.

undo-caption =
    { undo-done }
    { $game }. «Прислать ещё раз» выдаёт этот файл в течение суток.
file-refused = Telegram не принял файл. Нажмите «Прислать ещё раз» чуть позже.

extractions-title = <b>Последние забранные коды</b>
extractions-one =
    <b>№ { $batch }</b> · { $game }
    { $when } · { $who }
    { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    } { $stockKey }
extractions-again = Прислать № { $batch } снова
extract-empty = Кодов { $game } на складе нет. Добавьте их: /add_codes.
extract-none = Кодов { $game }, { $stockKey }, на складе нет. Что есть, покажет /stock.
extract-paused = ⏸ <b>{ $stockKey }</b> ({ $game }) — пауза: платформа отклонила пять кодов подряд. Пока не нажмёте «Продолжить», забрать коды нельзя. Отклонённые коды: /stock
extract-which = Какой номинал забрать?
extract-which-instead = Кодов номинала { $amount } на складе нет. Какой номинал забрать?
extract-how-many =
    Сколько кодов <b>{ $stockKey }</b> ({ $game }) забрать?
    На складе: { $available }. Вы получите коды файлом, и со склада они уйдут навсегда. Можно написать и другое число.
extract-how-many-again = Напишите, пожалуйста, числом, сколько кодов { $stockKey } забрать. На складе { $available }.
extract-confirm =
    Забрать <b>{ $amount ->
        [one] { $amount } код
        [few] { $amount } кода
       *[many] { $amount } кодов
    }</b> номинала <b>{ $stockKey }</b> ({ $game })?
    На складе: { $available }. Вы получите коды файлом, и со склада они уйдут навсегда.
extract-button = Забрать { $count }
extract-confirm-fewer =
    { $isAll ->
        [yes] На складе всего { $amount }.
       *[no] Вы просили { $asked }, но за один раз можно забрать { $amount }.
    }
    Забрать <b>{ $amount ->
        [one] { $amount } код
        [few] { $amount } кода
       *[many] { $amount } кодов
    }</b> номинала <b>{ $stockKey }</b> ({ $game })?
    На складе: { $available }. Вы получите коды файлом, и со склада они уйдут навсегда.
extract-running = Забираю…
extract-caption =
    <b>Забрано, № { $batch }</b>: { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    } { $stockKey } ({ $game })
extract-caption-fewer =
    { extract-caption }
    К этому времени на складе стало меньше { $asked }.
extract-again-late = Ещё раз прислать файл можно только в течение суток, и они прошли.

stock-game = <b>{ $game }</b>
stock-line = <b>{ $stockKey }</b>: на складе { $available }{ $reserved ->
        [0] {""}
       *[other] {", "}занято { $reserved }
    }{ $inDoubt ->
        [0] {""}
       *[other] {", "}под вопросом { $inDoubt }
    }, потрачено сегодня { $spent }
stock-lasts = { $days ->
        [0] хватит меньше чем на день
        [one] хватит примерно на { $days } день
        [few] хватит примерно на { $days } дня
       *[many] хватит примерно на { $days } дней
    }
stock-none = Пока нет: { $stockKeys }
stock-promised = обещано заказам: { $count }
stock-paused = ⏸ пауза
stock-note = «Сегодня» — с 00:00, { $zone }.
button-bad-codes = Отклонённые коды ({ $count })
button-bad-file = Файл · { $stockKey }
button-bad-release = Вернуть · { $stockKey }
button-put-back = { $count ->
        [one] Вернуть { $count } код
        [few] Вернуть { $count } кода
       *[many] Вернуть { $count } кодов
    }
button-bad-which = Какие это коды?
button-bad-again = Ещё раз · { $stockKey }
button-go-on-stock-key = Продолжить · { $stockKey }
button-go-on = Продолжить
button-try-bad = { $count ->
        [one] Проверить { $count } код
        [few] Проверить { $count } кода
       *[many] Проверить { $count } кодов
    }
bad-title = <b>Коды, которые отклонила платформа</b>
bad-line = <b>{ $stockKey }</b>: { $used } использовано, { $invalid } недействительно
bad-in-question = Возможно, выданы: { $count }. Сервис восстановлен из копии, и эти коды никто не берёт, пока вы не скажете, какие из них у ваших покупателей.
bad-released = Снова на складе: { $count ->
        [one] { $count } код <b>{ $stockKey }</b>
        [few] { $count } кода <b>{ $stockKey }</b>
       *[many] { $count } кодов <b>{ $stockKey }</b>
    }. Если платформа умеет отвечать, её спросят о каждом, прежде чем он будет использован.
bad-buyers-ask = За потерянное время могли выдать { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    } <b>{ $stockKey }</b>. Пришлите те, что есть у ваших покупателей: они останутся выданными. Потом верните остальные; сразу, если у покупателей таких нет.
bad-buyers-kept = { $kept ->
        [0] Таких среди возможно выданных нет.
       *[other] У покупателей: { $kept } (<b>{ $stockKey }</b>), теперь это одна выдача.
    } { $count ->
        [0] Больше таких нет.
        [one] Остался { $count }: пришлите и его, если он у покупателя, или верните.
        [few] Осталось { $count }: пришлите ещё или верните их.
       *[many] Осталось { $count }: пришлите ещё или верните их.
    }
bad-which-caption = { $count ->
        [one] { $count } код, который могли выдать
        [few] { $count } кода, которые могли выдать
       *[many] { $count } кодов, которые могли выдать
    }. То, что вы их прочли, записано в журнал.
bad-none = Ни один код со склада не отклонён, и ничего не приостановлено.
bad-none-tap = Такого уже нет.
bad-goes-on = ▶ <b>{ $stockKey }</b>: продолжаем. После пяти отказов подряд снова будет пауза.
bad-goes-on-already = <b>{ $stockKey }</b>: паузы нет.
bad-again-ask = Вернуть на склад { $count ->
        [one] { $count } отклонённый код
        [few] { $count } отклонённых кода
       *[many] { $count } отклонённых кодов
    } на <b>{ $stockKey }</b>? О каждом сначала будет спрошена платформа, и только потом он пойдёт в дело.
bad-tried = { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    } на <b>{ $stockKey }</b> снова на складе. О каждом сначала будет спрошена платформа.
bad-caption = { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[many] { $count } кодов
    }, отклонённых платформой: её ответ и время (UTC).

settings-stock = Предупреждаю, когда кодов мало: меньше десятой части первой партии, но не меньше 5, и когда их больше нет.
settings-stock-ask = Чтобы изменить, отправьте номинал и число: 60 50 — предупредить, когда меньше 50 кодов на 60. Можно несколько, каждый с новой строки. 0 или «выкл» — никогда.
settings-stock-none = Здесь нет игр со складом кодов, следить не за чем.
settings-stock-key = { $stockKey }: меньше { $threshold }
settings-stock-key-off = { $stockKey }: нет
settings-stock-key-open = { $stockKey }: сам
settings-threshold-set = Сохранено: предупрежу, когда кодов { $stockKey } останется меньше { $threshold }.
settings-threshold-off = Сохранено: про { $stockKey } больше не предупреждаю (порог { $threshold }).
settings-threshold-wrong = Так не получится. Номиналы: { $denominations }. Число — от 0 (никогда) до { $most }. Например: 60 50
