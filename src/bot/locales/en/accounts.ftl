# /members, /invite, /api_key.

command-members = Who is in the account
command-invite = Invite somebody by a link
command-api-key = Keys for programs that use the HTTP interface

members-title =
    <b>Members of { $account }</b>: { $count ->
        [one] { $count } person
       *[other] { $count } people
    }
members-line = { $person }{ $handle } — { $role }
members-line-you = { $person }{ $handle } — { $role }, that is you
members-hint = Press a name to change something.
members-refused = Your role may not see or change the members. You can leave the account yourself.
members-unknown = There is nobody called { $person } in this account. Choose from the list:
members-gone = This person is not in the account any more.
members-unchanged = Nothing to change: it is so already.
members-changed-meanwhile = Somebody else changed this in the same moment, so I did nothing. Look again: /members
members-owner-stays = The owner cannot leave. Hand the account over to somebody first.

members-button-invite = Invite somebody
members-button-leave = Leave the account
members-button-role = Make { $role }
members-button-remove = Remove
members-button-own = Hand over the account
members-button-sure = I know what this means

members-ask-role = New role for { $person }: { $role }?
members-ask-remove = Remove { $person } from the account? What they did stays in the history.
members-ask-own-first =
    <b>Hand the whole account over to { $person }?</b>
    The account with its codes, receipts and purchases will be theirs. You become an admin and cannot take it back yourself.
members-button-stay = I am here
members-stayed = You stay the owner. The link of the service administrators is over, and they know.
members-ask-own =
    <b>Last question: make { $person } the owner?</b>
    Only { $person } could undo this. If you are not sure, press Cancel.
members-ask-leave = Leave { $account }? You can come back only by a new invitation.

members-done-role = Done: { $person } is { $role } now, and has been told.
members-done-remove = Done: { $person } is not in the account any more, and has been told.
members-done-own = Done: { $person } is the owner now, you are an admin.
members-done-leave = You have left { $person }. To come back, ask for an invitation.

members-told-role = { $person } changed your role in { $account }: you are { $role } now. /help shows what you can do.
members-told-remove = { $person } removed you from { $account }. If that is a mistake, ask for a new invitation.
members-told-own = { $person } handed { $account } over to you: you are its owner now. /help shows what you can do.
members-told-leave = { $person } has left { $account }.

invite-choose = Whom do you invite? Choose the role:
invite-not-admins = Only the owner invites admins. You can invite:
invite-unknown-role = I do not know this role. Choose one:
invite-link =
    Invitation to { $account }, role: { $role }.
    { $link }

    Send it to one person. It works for one person and for 24 hours.
invite-copy = Copy the link

key-title = <b>API keys</b>: { $count }
key-none = There is no API key yet. A key lets a program use the HTTP interface in the name of this account.
key-line = { $key } — made { $created }, { $isUsed ->
        [yes] last used { $used }
       *[no] never used
    }
key-unknown = There is no such key in this account.
key-gone = This key is revoked already.

key-button-new = New key
key-button-revoke = Revoke { $key }
key-button-list = All keys
key-button-issue = Make the key
key-button-copy = Copy the key

key-button-limits = Limits { $key }
key-limits-of = The key { $key } has limits of its own:
key-limits-ask =
    Send all that it shall have, in one message: activations in any 24 hours, addresses, a last day. For example:
    <code>50 203.0.113.7 2026-12-31</code>
    What you leave out limits nothing; <code>none</code> takes all away.
key-limits-none = none
key-limits-day = { $count } activations in 24 hours
key-limits-from = only from <code>{ $address }</code>
key-limits-until = until { $day }
key-limits-wrong = I do not understand “{ $word }”. A number of activations is 50 or 12.25, an address 203.0.113.7, 203.0.113.0/24 or <code>2001:db8::/32</code>, a day 2026-12-31 or 31.12.2026.
key-limited = From now on the key { $key } has limits of its own:

key-ask-issue =
    Make a new API key? Whoever has it can redeem, add and take out codes of this account. I show it once.
    <b>What is it for?</b> Send me a word or two, or press “Make the key” to make it without a name.
key-ask-issue-named =
    Make a new API key for <b>{ $key }</b>?
    Whoever has it can redeem, add and take out codes of this account. I show it once.
key-ask-revoke =
    Revoke the key { $key }? It was made { $created }, { $isUsed ->
        [yes] last used { $used }
       *[no] never used
    }.
    Programs that use it are refused from that moment, and the orders that they placed stop. This cannot be taken back.
key-addresses = It registered these addresses, which are told of events also without it:
key-button-revoke-all = Revoke, remove { $count ->
        [one] { $count } address
       *[other] { $count } addresses
    }
key-button-revoke-only = Revoke only
key-button-revoke-now = Revoke
key-issued =
    The key { $prefix }… is made. It comes in a message of its own.
    Should that message not come, revoke the key here and make another.
key-shown =
    Your new API key, behind the spoiler. I cannot show it again, so keep it in a safe place:
    <tg-spoiler>{ $key }</tg-spoiler>
key-revoked = The key { $prefix }… is revoked: nobody can use it any more.

# /log

command-console = The console: everything at a desk, in a browser
command-log = Who has done what in the account

console-link = The link lets one browser in, within five minutes. Do not pass it on.
console-link-here = The link lets one browser of this machine in, within five minutes: <code>{ $link }</code>
console-button-open = Open the console
console-button-end = End this session
console-ended = The session of the console is ended.
console-ended-before = This session of the console has ended already.

log-title = <b>Log</b>, the newest first. Times are { $zone }.
log-empty = Nothing has been written down yet.
log-by-service = the service itself
log-by-chat = Telegram
log-line = { $when } · { $who }{ $door ->
        [cli] {" "}(command line)
        [page] {" "}(console)
       *[other] {""}
    }:{" "}
