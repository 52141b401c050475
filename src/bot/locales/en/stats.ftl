# /stats, /export

command-stats = Redemptions by day and denomination, as a picture
command-export = Receipts as a CSV file

stats-days =
    { $days ->
        [one] { $days } day
       *[other] { $days } days
    }
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

export-ask = Of how many days do you want the receipts? Logins, passwords and whole codes are left out.
export-ask-full = Of how many days do you want the receipts, with codes, logins and passwords?
export-wrong = Send a number of days from 1 to { $most }, such as /export 30. An owner gets codes, logins and passwords with /export 30 full.
export-full-refused = Only the owner gets a file with codes, logins and passwords. /export { $days } gives you one without them.
export-confirm =
    { $days ->
        [one] The file will hold the codes, logins and passwords of <b>today’s</b> receipts, readable for anybody who gets it. Shall I make it?
       *[other] The file will hold the codes, logins and passwords of <b>{ $days } days</b>, readable for anybody who gets it. Shall I make it?
    }
export-under-way = I am making the file…
export-empty =
    { $days ->
        [one] There are no receipts of today. /export asks for another time.
       *[other] There are no receipts of the last { $days } days. /export asks for another time.
    }
export-done =
    { $count ->
        [one] 1 receipt. Times are UTC.
       *[other] { $count } receipts. Times are UTC.
    }
export-done-full =
    { $count ->
        [one] 1 receipt with its code, login and password. Delete this message when you no longer need it.
       *[other] { $count } receipts with codes, logins and passwords. Delete this message when you no longer need it.
    }
