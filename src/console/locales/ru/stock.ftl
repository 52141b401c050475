menu-stock = Склад
stock-state = Состояние
stock-title = Склад
stock-none = Кодов здесь ещё не было.
stock-denomination = Номинал
stock-available = В наличии
stock-promised = Обещано
stock-in-doubt = Под вопросом
stock-today = Потрачено сегодня
stock-week = За 7 дней
stock-lasts = Хватит на
stock-days = { $days ->
        [0] меньше дня
        [one] { $days } день
        [few] { $days } дня
       *[other] { $days } дней
    }
stock-enough = хватает
stock-low = мало
stock-empty = кончились
stock-paused = пауза: коды отклоняли
stock-go-on = Продолжить
stock-add = Добавить коды
said-stock-goes-on = Эти коды снова берутся.

put-back-some = Возможно, выданы: { $count }
put-back-title = Возможно, выданы
put-back-text = Сервис восстановлен из копии, и эти коды ({ $stockKey }) могли быть выданы за потерянное время. Никто их не возьмёт, пока вы не скажете, какие из них у ваших покупателей.
put-back-show = Показать эти коды
put-back-codes = Эти коды
put-back-buyers = Коды, которые есть у покупателей
put-back-buyers-hint = Вставьте как есть, можно вместе с другими; ничего, если таких нет. Они останутся выданными, как одна выдача. О каждом из остальных спросим, прежде чем его использовать.
put-back-do = Вернуть остальные
said-put-back = То, что у покупателей, осталось выданным; остальное снова на складе.

add-title = Добавить коды
add-open = Коды, присланные раньше, ещё не добавлены.
add-open-go-on = Посмотреть их
add-which = Номинал
add-which-hint = Для кодов, о которых текст ничего не говорит
add-by-text = Как сказано в тексте
add-paste = Коды, как их присылает поставщик
add-paste-hint = По одному в строке, списки с заголовками («660 UC»), таблицы: о неясном спросим прежде, чем что-то добавить.
add-files = Или файлы: .txt, .csv, .xlsx
add-look = Предпросмотр
add-nothing-yet = Пока ничего не добавлено.
add-decided = Эти коды уже добавлены или отброшены.
add-preview-title = Что будет добавлено
add-collected = Прислано: { $messages ->
        [one] { $messages } текст
        [few] { $messages } текста
       *[other] { $messages } текстов
    }, { $files ->
        [one] { $files } файл
        [few] { $files } файла
       *[other] { $files } файлов
    }
add-no-codes = Кодов с номиналом не нашлось.
add-new = Новые
add-ours = Уже есть у вас
add-others = Чужие
add-ask = Под «{ $text }» { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[other] { $count } кодов
    }. Какой у них номинал?
add-ask-nothing = Без понятного заголовка: { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[other] { $count } кодов
    }. Какой у них номинал?
add-ask-good = Рядом с «{ $text }» { $count ->
        [one] { $count } код. Он годен?
        [few] { $count } кода. Они годны?
       *[other] { $count } кодов. Они годны?
    }
add-good = Годны, номинал — как в тексте
add-are-codes = { $count ->
        [1] Это код: добавить
       *[other] Это коды: добавить
    }
add-choose = Выберите…
add-leave-out = Не брать их
add-answer = Ответить
add-headings = Как прочитаны заголовки: { $count }
add-count = { $count ->
        [one] { $count } код
        [few] { $count } кода
       *[other] { $count } кодов
    }
add-repeated = { $count ->
        [one] { $count } код прислан несколько раз; считается один раз.
        [few] { $count } кода присланы несколько раз; каждый считается один раз.
       *[other] { $count } кодов присланы несколько раз; каждый считается один раз.
    }
add-left-out = { $count ->
        [one] { $count } код не берём.
        [few] { $count } кода не берём.
       *[other] { $count } кодов не берём.
    }
add-not-understood = Не понято: { $count }
add-foreign-letter = { $letter } в коде не латинская буква, хотя и похожа. Пришлите этот код заново.
add-changed = Часть кодов изменила электронная таблица (1.23E+15 или нули в конце). Пришлите оригинал.
add-too-many = Кодов больше 100 000: прочитаны только первые 100 000. Остальные добавьте потом.
add-supplier = Поставщик
add-keep = Запомнить
add-codes = { $count ->
        [one] Добавить { $count } код
        [few] Добавить { $count } кода
       *[other] Добавить { $count } кодов
    }
add-more = Прислать ещё
add-drop = Отбросить
add-answer-first = Сначала ответьте на вопросы.
add-none-new = Нового здесь нет.
said-codes-joined = Добавлено к присланному раньше.
said-codes-dropped = Ничего не добавлено.
said-codes-added = Коды добавлены. В течение часа их можно вернуть, пока они не потрачены.
said-codes-undone = Коды возвращены.
problem-nothing-pasted = Ничего не прислано: вставьте коды или выберите файл.
problem-other-import = Коды другой игры, присланные раньше, ещё не добавлены. Сначала добавьте или отбросьте их; вернитесь в браузере назад, чтобы сохранить этот текст.
problem-import-full = Больше в одну партию не помещается. Добавьте то, что есть, затем остальное.
problem-file-unreadable = Не получается прочитать { $file }. Таблицу можно сохранить как .csv или .xlsx и прислать снова.
problem-undo-late = Партию можно отменить в течение часа, а эта старше.
