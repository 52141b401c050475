# /stats, and the words in its picture.

command-stats = Redemptions by day and denomination, as a picture

stats-days-wrong = A number of days from 1 to { $most }, such as /stats 30.
stats-title =
    { $days ->
        [one] <b>Today</b> (UTC)
       *[other] <b>The last { $days } days</b> (UTC)
    }
stats-total = ✅ redeemed: <b>{ $redeemed }</b> · ❌ failed: <b>{ $failed }</b>
stats-open = ⏳ under way or in doubt: { $open }
stats-none = Nothing was redeemed in this time.
stats-by-amount = <b>By denomination</b>
stats-by-day = <b>By day</b>
stats-line = { $what }: ✅ { $redeemed } · ❌ { $failed }
stats-others = others
stats-picture-by-day = By day (UTC)
stats-picture-by-amount = By denomination
stats-picture-redeemed = Redeemed: { $count }
stats-picture-failed = Failed: { $count }
