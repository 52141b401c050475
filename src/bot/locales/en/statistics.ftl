# /stats, and the words in its picture.

command-stats = Redemptions by day and denomination, as a picture

stats-days-wrong = Send a number of days from 1 to { $most }, such as /stats 30.
stats-title =
    { $days ->
        [one] <b>Today</b> ({ $zone })
       *[other] <b>The last { $days } days</b> ({ $zone })
    }
stats-total = ✅ redeemed: <b>{ $redeemed }</b> · ❌ failed: <b>{ $failed }</b>
stats-open = ❔ in doubt or under way: { $open }
stats-none = Nothing was redeemed in this time.
stats-by-amount = <b>By denomination</b>
stats-by-day = <b>By day</b>
stats-line = { $what }: ✅ { $redeemed }{ $failed ->
        [0] {""}
       *[other] {" "}· ❌ { $failed }
    }{ $open ->
        [0] {""}
       *[other] {" "}· ❔ { $open }
    }
stats-by-supplier = <b>By supplier</b> (batches added in these days)
stats-supplier = { $supplier }: ✅ { $redeemed } · used or invalid { $bad } ({ $share } %)
stats-others = others
stats-share = Success rate: { $share } %
stats-settles = What is in doubt settles by itself. /find in doubt lists it.
stats-as-text = Figures as text
stats-picture-range =
    { $days ->
        [one] { $range } · today ({ $zone })
       *[other] { $range } · { $days } days ({ $zone })
    }
stats-picture-by-day = By day
stats-picture-by-amount = By denomination
stats-picture-redeemed = Redeemed
stats-picture-failed = Failed
stats-picture-open = In doubt or under way
