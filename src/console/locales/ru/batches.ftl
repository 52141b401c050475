menu-batches = Партии
batches-title = Партии
batches-none = На склад ещё ничего не добавляли.
batches-id = Партия
batches-at = Добавлена
batches-game = Игра
batches-by = Кто добавил
batches-supplier = Поставщик
batches-added = Кодов
batches-from = С
batches-to = По
batches-fate-available = В наличии
batches-fate-redeemed = Активировано
batches-fate-held = Активируется
batches-fate-inDoubt = Под вопросом
batches-fate-inQuestion = Под вопросом после восстановления
batches-fate-extracted = Забрано
batches-fate-undone = Возвращено
batches-fate-spent = Плохие
batch-title = Партия { $id }
batch-became = Что стало с её кодами
batch-receipts = Чеки этой партии
batch-undone-at = Возвращена
batch-bad = Плохие коды в CSV
batch-bad-later = Плохие коды можно получить в первые пять минут после входа.
batch-codes = Что возвращено
batch-codes-later = Сами коды видны в первые пять минут после входа, в течение суток.
batch-undo = Вернуть назад
batch-undo-ask = Вернуть партию { $id } ({ $count ->
        [one] { $count } код
        [few] { $count } кода
       *[other] { $count } кодов
    })? Что ещё в наличии, уйдёт со склада; что уже ушло, останется как есть.
