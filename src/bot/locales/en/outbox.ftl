# What people are told without being asked.

notice-stock-low = 📉 Fewer than { $threshold } codes of <b>{ $stockKey }</b> ({ $game }) are left. Add more with /add_codes { $denomination }
notice-stock-none = 📉 No code of <b>{ $stockKey }</b> ({ $game }) is left. Add more with /add_codes { $denomination }
notice-doubt = ℹ️ Redemption { $redemptionId } was in doubt and is settled now.
notice-doubt-redeemed = ✅ The code was redeemed for the player.
notice-doubt-returned = ↩️ Nothing was redeemed: the code is unspent, and the activation was given back.
notice-doubt-spent-elsewhere = ❌ Nothing was redeemed for the player: the code had been used already.
notice-upstream-case-used-after = ⚠️ Somebody else used the code of redemption { $redemptionId } (account { $ofAccount }) after it was sent to { $upstream }, and nobody but the shop had it in hand. Ask { $upstream } how.
notice-upstream-case-was-spent = ⚠️ A code of redemption { $redemptionId } (account { $ofAccount }) is used after all: { $upstream } had not spent it, it was said. No receipt changes by that, and the code is not sold again. Ask { $upstream } what became of it. A second one within a day pauses it, where another can take its orders.
notice-doubt-held = ✋ Redemption { $redemptionId } of account { $ofAccount } waits for you: no answer can decide how it ended, and its code stays held. /accounts { $ofAccount } has it under “In doubt”, with all that was sent and answered, and two buttons that decide it. Ask the account whether the player got it by this order; /health counts what waits.
notice-login-awaited = 🔑 Redemption { $redemptionId } of account { $ofAccount } went through, but the platform has not shown its login so far. It is settled without, and I ask for the login for a month more.
notice-login-came = 🔑 The login of redemption { $redemptionId } came after all: it is in the receipt now.
notice-login-came-own = 🔑 The login of your redemption { $redemptionId } came after all: it is in the receipt now.
notice-quota-80 = ⏳ 80 % of the daily quota is used. /quota shows what is left.
notice-quota-100 = ⛔ The whole daily quota is used. Redeeming goes on with purchased activations only. /quota shows when the next ones come back, /buy_activations buys more.
notice-subscription-ends =
    { $daysLeft ->
        [one] 📅 The subscription ends in 1 day: { $endsAt }. Extend it with /subscribe.
       *[other] 📅 The subscription ends in { $daysLeft } days: { $endsAt }. Extend it with /subscribe.
    }
notice-subscription-ended = 📅 The subscription ended: { $endsAt }. Redeeming and look-ups have stopped; receipts, stock and history stay. Renew it with /subscribe.
notice-codes-unreadable =
    { $count ->
        [one] 🛑 A code of account { $ofAccount } cannot be read any more and was put aside as invalid. Is the disk failing? Run the check, and keep the backups that there are.
       *[other] 🛑 { $count } codes of account { $ofAccount } cannot be read any more and were put aside as invalid. Is the disk failing? Run the check, and keep the backups that there are.
    }
chat-full = You write faster than I can answer: { $most } of your messages wait already. I have not read what came after them. Please wait for my answers, then send the rest again.
notice-order-stopped = 🛑 An order for { $player } stopped: { $done } of { $all } codes are redeemed. { $because }
notice-claim-stuck = 🔗 A claim link of { $stockKey } waits for you{ $reference ->
        [none] { "" }
       *[other] { " " }({ $reference })
    }: { $because }
notice-claim-because-shortage = its codes are not in stock any more.
notice-claim-because-look-ups = too many players were looked up by it, or do not exist.
notice-claim-because-stopped = its order stopped.
notice-claim-because-after-restore = it may have been used in the lost time.
notice-time-lost = 🕳 A backup of the service was restored: what was done in this account between { $knownAt } and { $restoredAt } is not known here. Codes are asked about before they are used, and I tell you of what is found. Codes that you added then are not there: add them again.
notice-perhaps-handed-out = { $inQuestion ->
        [one] { $inQuestion } code
       *[other] { $inQuestion } codes
    } of your stock may have been handed out in that time, so nobody takes { $inQuestion ->
        [one] it
       *[other] them
    }. Put back what your buyers do not have: /stock, “Refused codes”.
notice-job-because-interrupted = An upgrade of the service interrupted it.
notice-job-because-gone = What it was ordered for is not there any more.
notice-job-because-not-managed = There is no stock for this game or denomination any more.
notice-job-because-unreadable = What was kept for it cannot be read any more.
notice-job-add = ⚠️ Adding codes (batch { $subjectId }) cannot go on: { $problem } { $done } of { $total } were gone through, and what was added stays in the stock. Paste the others again.
notice-job-undo = ⚠️ Taking batch { $subjectId } back cannot go on: { $problem } { $done } of { $total } codes were gone through. The service administrator can help.
notice-job-extract = ⚠️ Extraction { $subjectId } cannot go on: { $problem } Taken out: { $done } of { $total } codes; whoever ordered it gets them.
notice-stock-paused = ⏸ <b>{ $stockKey }</b> ({ $game }) is paused: the platform refused five of its codes in a row as used or invalid. Nothing is redeemed or taken out of it until you press “Go on”. The codes refused, and trying them again: /stock
notice-code-taken-back = ↩️ A code of { $stockKey } was being redeemed when batch { $batchId } was undone. It was not used, and has been taken back with the others: “Send again” has it in the file.
notice-recovered = { $count ->
        [one] { $count } redemption of { $stockKey } was
       *[other] { $count } redemptions of { $stockKey } were
    } carried out in the time that was lost, and found by the codes. They are charged to nobody: an order that is repeated under its key gets its receipt; all are in /history.
notice-recovered-twice = A redemption was found that was carried out in the time that was lost, and since then the same player got the same once more. Please look at both:
notice-extraction-unsent = 📭 The file of <b>Extraction { $extractionId }</b> ({ $count ->
        [one] { $count } code
       *[other] { $count } codes
    } of { $stockKey }, { $game }) reached nobody: whoever ordered it has blocked me, or may not take codes out any more. “Send again” brings it to you. Who ordered it: /extract_codes
notice-webhook-off = 🔌 The webhook at <b>{ $host }</b> took nothing for three days, so I have switched it off. The owner switches it on again in the console, or a program by <code>POST /webhooks/…/enable</code>.
notice-console-opened = 🖥 Console opened: <b>{ $browser }</b>. If this was not you, end it.
notice-owner-to-be-replaced = ⚠️ The service administrators have made a link by which somebody else becomes the owner of this account, and you an admin, from <b>{ $opensAt }</b> on. If you are there, say so: then you stay the owner.
notice-owner-replaced = { $owner } owns this account now, by a link of the service administrators. You are an admin.
notice-owner-stayed = The owner of account { $ofAccount } is there and stays. The link for another owner is over.
notice-webhook-added = 🔗 A program registered a webhook at <b>{ $host }</b>, with the key { $key }…. It is told of what happens in this account, also when the key is revoked. If you do not know it: remove it in the console or by <code>DELETE /webhooks/…</code>; /api_key revokes the key.
notice-address-refused = 🔒 The API key { $key }… was used from <b>{ $address }</b>, which is none of its addresses, and refused. If that is your program: add the address to the key in the console; if not, the key is known to somebody else: /api_key revokes it.

result-lost = ⚠️ Something that you ordered here has its result, and I cannot show it. /history, /stock and /batches say what was done.
