alert-section = What to do: docs/at-night.md, <code>{ $name }</code>
alert-platform-unreachable = ⚠️ The platform has not answered since { $since }. Redemptions fail or stay in doubt until it does.
alert-platform-unreachable-over = ✅ The platform answers again. It did not from { $since } to { $until }.
alert-upstream-refusing =
    ⚠️ The platform ({ $upstream }) refuses our requests: { $trouble ->
        [400] malformed, it says (400). Check UPSTREAM_URL, and that it knows our game identifiers.
        [401] it does not accept our key (401). Check UPSTREAM_TOKEN.
        [403] our subscription there is not active (403). Renew it.
        [404] there is nothing at this address (404). Check UPSTREAM_URL.
        [405] it does not take this method (405). Check UPSTREAM_URL.
        [413] the request is too large for it (413). Check what stands between us and it.
        [415] it did not take the request for JSON (415). Check what stands between us and it.
        [429] our quota there is used up (429). Buy activations there or wait.
        [notDirect] it looked for a code in its own stock although we sent one: it does not understand direct redemption.
       *[other] { $sentence }
    }
alert-upstream-refusing-over = ✅ The platform ({ $upstream }) takes our orders again. It refused our requests from { $since } on.
alert-upstream-resting = 💤 { $upstream } rests since { $restsAt }: it failed too often, and orders go elsewhere. One of them tries it later; /health shows each.
alert-upstream-resting-over = ✅ { $upstream } takes orders again. It rested from { $since } on.
alert-upstream-none = ⛔ Orders of { $game } find nobody who takes them: all are paused, or none knows this game. Nothing of it is begun, and no code is touched. /health shows each.
alert-upstream-none-over = ✅ Nobody has been turned away for want of an upstream for { $game } in an hour.
alert-upstream-unread = ⚠️ { $upstream } answers what no rule of its profile knows. What is answered so is in doubt: look at the answers on the command line (upstream answers), and write a rule.
alert-upstream-unread-over = ✅ { $upstream } has answered nothing for a quarter of an hour that its profile does not know.
alert-doubt-old = ⚠️ A redemption is in doubt since { $doubtedAt }: the platform has not said how it ended. I go on asking.
alert-doubt-old-over = ✅ No redemption is in doubt for a quarter of an hour or longer any more.
alert-database-unwritable = ⛔ The disk refuses to be written to since { $since }: it is full, or fails. Nothing begins until it can be.
alert-database-unwritable-over = ✅ The disk can be written to again. Between { $since } and { $until } it could not, and nothing began then.
alert-database-moved = ⛔ The file that holds everything was moved away or deleted while the service runs. Nothing begins until the same file is back. Do not restart.
alert-database-moved-over = ✅ The file that holds everything is where it was again, and the service goes on. It was not from { $since } to { $until }.
alert-disk-low =
    ⚠️ There is little room left on the disk of { $folder ->
        [backups] the backups
       *[other] the data
    }: { $gigabytes } GB. When it is full, nothing begins any more.
alert-disk-low-over = ✅ There is room on the disk again.
alert-token-contested = ⚠️ Another process fetches the updates of this bot, so that a part of what people write is not answered here, and no codes are handed out. Is an old machine still running, or a copy of the data? End it, or give it a token of its own.
alert-token-contested-over = ✅ No other process fetches the updates of this bot any more. One did from { $since } on.
alert-token-revoked-over = ✅ Telegram knows the token of this bot again. From { $since } to { $until } it did not, and nobody was answered; programs were.
alert-bot-start-failed-over = ✅ The bot has started. From { $since } to { $until } it could not; programs were served. The log says why.
alert-backup-failing =
    ⚠️ No backup could be made: { $reason ->
        [noRoom] There is no room left on the disk.
        [notWritable] Nothing can be written to the folder BACKUP_FOLDER: it is not there, or not open to the service.
       *[other] { $sentence }
    } It is tried again every quarter of an hour.
alert-backup-failing-over = ✅ A backup was made and proven again. None could be from { $since } on.
alert-backup-too-old = ⚠️ The newest backup is of { $newestAt }: the next is long overdue.
alert-backup-too-old-over = ✅ There is a fresh backup again.
alert-database-damaged = ⛔ Damage was found in the data, by a backup or a check. Keep the file as it is and every backup that there is.
alert-database-damaged-over = ✅ Neither the last backup nor the last check found damage in the data.
alert-unclean-end =
    ⚠️ The service ended without being stopped{ $aliveAt ->
        [none] { "" }
       *[other] , after { $aliveAt }
    }: it was killed, it crashed, or the power went. It is back since { $backAt }. { $count ->
        [0] Nothing was under way.
        [one] { $count } redemption was under way: the platform is asked about it.
       *[other] { $count } redemptions were under way: the platform is asked about them.
    }
alert-unclean-end-over = ✅ The service has run for ten minutes since it was back.
alert-restored = ⚠️ A backup was restored at { $restoredAt }: nobody knows what happened here since { $knownAt }. Codes are asked about before they are used, and owners are told, also of codes that may have been handed out since.
alert-restored-over = ✅ The codes that the restore has put in question were asked about, or a day has passed since: of a stock that nobody has sold from, they are asked about by its first order.
alert-clock-jumped =
    ⚠️ The clock of this machine jumped { $way ->
        [forward] forward
       *[other] back
    } by { $minutes } min.
alert-clock-jumped-over = ✅ The clock of this machine has not jumped for an hour.
