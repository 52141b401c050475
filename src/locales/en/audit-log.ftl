# What was done, as the log tells it.
log-account-opened = account opened as { $called }
log-account-paused = account paused
log-account-resumed = account resumed
log-account-closed = account closed
log-account-reopened = account opened again
log-account-renamed = account renamed: { $was } → { $is }
log-contact-set = contact on claim links: { $was } → { $is }
log-time-zone-set = time zone: { $was } → { $is }
log-threshold-set = low stock of { $game } { $denomination }: { $was } → { $is }
log-member-invited = invited somebody as { $role }
log-owner-invited = invited an owner
log-owner-to-be-replaced = invited another owner in the place of { $person }
log-owner-stayed = stays the owner
log-member-joined = joined as { $role }
log-member-left = left; was { $role }
log-member-removed = removed { $person }; was { $role }
log-role-changed = { $person } is { $role } now
log-handed-over = handed the account over to { $person }
log-key-issued = API key made: { $key }…
log-key-revoked = API key revoked: { $key }…
log-key-limited = limits of the API key { $key }… set: { $dayLimit } a day, from { $addresses }, until { $expiresAt }
log-console-entered = entered the console: { $browser }
log-console-left = a session of the console ended
log-webhook-added = webhook added: { $host }
log-webhook-removed = webhook removed: { $host }
log-webhook-enabled = webhook switched on: { $host }
log-webhook-disabled = webhook switched off: { $host }
log-claims-issued = claim links made: { $count } × { $game } { $amount } ({ $number })
log-claims-revoked = claim links revoked: { $count }
log-claim-reopened = claim link { $number } opened once more
log-claim-player-set = set the player of claim link { $number }
log-claims-reopened = claim links of before the restore opened once more: { $count }
log-codes-extracted = taking out { $count } × { $game } { $denomination } (extraction { $number })
log-batch-undone = batch { $number } undone ({ $count })
log-codes-put-back = put back { $count } × { $game } { $denomination } that a restore had taken out of the stock
log-codes-shown = read which codes of { $game } { $denomination } may have been handed out
log-stock-paused = { $game } { $denomination } paused: { $count } codes in a row were refused
log-stock-resumed = { $game } { $denomination } goes on
log-credentials-exported = ordered an export with codes and logins, days: { $days }
log-days-granted = days given: { $days } (payment { $number })
log-activations-granted = activations given: { $count } (payment { $number })
log-refunded = payment { $number } given back
log-doubts-asked = asked the platform about { $count } in doubt
log-doubt-decided =
    redemption { $number } was in doubt; decided: { $outcome ->
        [redeemed] redeemed
       *[returned] not redeemed
    } ({ $reason })
log-platform-adopted = platform: { $was } → { $is }
log-database-adopted = the service was moved; it was stopped at { $since }
log-restored = a backup was restored: nothing is known from { $since } to { $until }
log-credentials-shown = { $of ->
        [order] logins of order { $number } shown
       *[redemption] code and login of receipt { $number } shown
    }
log-customer-receipt-made = { $of ->
        [order] receipt of order { $number } made for the customer
       *[redemption] receipt { $number } made for the customer
    }
