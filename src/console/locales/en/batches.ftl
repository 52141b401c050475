menu-batches = Batches
batches-title = Batches
batches-none = Nothing was added to the stock yet.
batches-id = Batch
batches-at = Added at
batches-game = Game
batches-by = Added by
batches-supplier = Supplier
batches-added = Added
batches-from = From
batches-to = To
batches-fate-available = Available
batches-fate-redeemed = Redeemed
batches-fate-held = Under way
batches-fate-inDoubt = In doubt
batches-fate-inQuestion = In question
batches-fate-extracted = Taken out
batches-fate-undone = Taken back
batches-fate-spent = Bad
batch-title = Batch { $id }
batch-became = What became of its codes
batch-receipts = Receipts of this batch
batch-undone-at = Taken back at
batch-bad = Bad codes as CSV
batch-bad-later = The bad codes can be had in the first five minutes after entering.
batch-codes = What was taken back
batch-codes-later = The codes themselves are shown in the first five minutes after entering, for a day.
batch-undo = Undo
batch-undo-ask = Take batch { $id } back ({ $count ->
        [one] { $count } code
       *[other] { $count } codes
    })? What is still available is taken out of the stock; what has left it stays as it is.
