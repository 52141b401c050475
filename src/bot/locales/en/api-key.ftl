# /api_key.

command-api-key = Keys for programs that use the HTTP interface

key-title = <b>API keys</b>: { NUMBER($count, useGrouping: 0) }
key-none = There is no API key yet. A key lets a program use the HTTP interface in the name of this account.
key-line = { $prefix }… made { $created }, last used { $used }
key-line-unused = { $prefix }… made { $created }, never used
key-unknown = There is no such key in this account.
key-gone = This key is revoked already.

key-button-new = New key
key-button-revoke = Revoke { $prefix }…
key-button-copy = Copy the key

key-ask-issue =
    Make a new API key?
    Whoever has it can redeem, add and take out codes of this account. I show it once.
key-ask-revoke =
    Revoke the key { $prefix }…?
    Programs that use it are refused from that moment. This cannot be taken back.
key-issued =
    The key { $prefix }… is made. It comes in a message of its own.
    Should that message not come, revoke the key here and make another.
key-shown =
    Your new API key, behind the spoiler. I cannot show it again, so keep it in a safe place:
    <tg-spoiler>{ $key }</tg-spoiler>
key-revoked = The key { $prefix }… is revoked: nobody can use it any more.
