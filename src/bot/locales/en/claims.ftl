# /links: claim links as they are made, sent and revoked; and those that wait for the account.

command-links = Links to sell instead of codes

links-off = Links need an address of this service that buyers can open, and none is set. The service administrator sets it: PUBLIC_URL.
links-usage =
    To make links: /links 660 100
    That is what each is for, then how many, 1000 at most; a word behind that is kept as their reference. Whoever opens a link types a player ID, confirms the name, and is redeemed.
links-usage-again = More of them: /links 660 100
links-title = <b>The last links</b>
links-one =
    <b>{ $count } × { $what }</b> ({ $game }){ $reference ->
        [none] { "" }
       *[other] { " · " }{ $reference }
    }
    Made { $made }, good until { $until }
links-count-open = open: { $count }
links-count-used = used: { $count }
links-count-stuck = stuck: { $count }
links-count-revoked = revoked: { $count }
links-count-expired = over: { $count }
links-confirm =
    Make { $count ->
        [one] <b>1 link</b> of <b>{ $what }</b> ({ $game })?
       *[other] <b>{ $count } links</b> of <b>{ $what }</b> each ({ $game })?
    }
links-confirm-items = Each link: { $items }.
links-confirm-kept =
    The stock keeps { $kept } for them until { $until }. Left beside that: { $left }.
    An activation is charged when a link is used, not before.
links-count-of = { $count } of { $stockKey }
links-reference = Reference: { $reference }
links-short = There is not enough in stock for { $count ->
        [one] 1 link
       *[other] { $count } links
    } of { $what }. Missing: { $missing }. None was made; /add_codes adds codes.
links-no-composition = No codes in stock make exactly { $what } { $count ->
        [one] for a link
       *[other] for each of { $count } links
    }{ $nearest ->
        [none] { "" }
       *[other] ; the nearest sums are { $nearest }
    }. None was made.
links-caption =
    { $count ->
        [one] <b>1 link</b>
       *[other] <b>{ $count } links</b>
    } of <b>{ $what }</b> ({ $game }), good until { $until }{ $reference ->
        [none] { "" }
       *[other] { " · " }{ $reference }
    }
    Whoever has a link can use it, so keep this file as you keep codes. “Send again” works for a day.
links-late = Links are sent again for a day after they were made, and that is over. What was not sold can be revoked: /links
links-all-over = None of these links opens anything any more.
links-button-issue = Make { $count ->
        [one] 1 link
       *[other] { $count } links
    }
links-button-again = Send { $n } again
links-button-revoke = Revoke the unused
links-button-revoke-of = Revoke unused { $n }
links-button-revoke-count = Revoke { $count }
links-button-stuck = Stuck links
links-button-restored = From before the restore
links-button-open-all = Open all of them
links-button-more = Allow more
links-button-open = Open it again
links-button-player = Set the ID
links-revoke =
    Revoke { $count ->
        [one] the 1 link that nobody has used? It opens nothing any more,
       *[other] the { $count } links that nobody has used? They open nothing any more,
    } and what the stock keeps for { $count ->
        [one] it
       *[other] them
    } can be used otherwise.
links-nothing-unused = All of these links were used, or are over.
links-revoked = { $count ->
        [one] 1 link is revoked.
       *[other] { $count } links are revoked.
    } { $used ->
        [0] None had been used.
        [one] 1 had been used.
       *[other] { $used } had been used.
    }
links-restored-ask =
    Open all links again that were open in the backup? What was redeemed by one in the lost time is found by proof when somebody comes with it, and is not sent twice. Where nobody can tell, it waits for you once more.
links-restored = { $count ->
        [0] No link is left to be opened.
        [one] 🔗 { $count } link is open again.
       *[other] 🔗 { $count } links are open again.
    }
links-none-stuck = No link waits for you.
links-stands = { $stands ->
        [open] 🔗 The link of <b>{ $what }</b> is open again: its buyer can go on, with five more look-ups.
        [confirmed] 🔗 The link of <b>{ $what }</b> is being redeemed. /orders shows how far it is.
        [settled] 🔗 The link of <b>{ $what }</b> was redeemed. Its receipt is in /history.
        [partly] 🔗 Something of the link of <b>{ $what }</b> is redeemed already, so it does not begin anew. /orders goes on with the rest.
       *[over] 🔗 The link of <b>{ $what }</b> is over: it was revoked, or its time is up. /links makes another one.
    }
links-player-ask = Send the player ID that this link of <b>{ $what }</b> shall be redeemed for. I look the name up, and ask once more.
links-player-confirm = { $isNamed ->
        [yes] Redeem this link of <b>{ $what }</b> for <b>{ $name }</b>, ID <code>{ $player }</code>?
       *[no] Redeem this link of <b>{ $what }</b> for ID <code>{ $player }</code>? Names cannot be looked up here, so check the digits.
    }
links-player-unproven = ⚠️ Nobody can tell whether this link was used in the lost time. If it was, this is a second code for it.
links-player-short = There are no codes for this link of <b>{ $what }</b> in stock. Nothing was done: add some with /add_codes, then press again.
