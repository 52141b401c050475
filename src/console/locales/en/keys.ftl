menu-keys = API keys
keys-title = API keys
keys-none = There is no key yet. A key lets a program of yours redeem and look up over HTTP.
keys-key = Key
keys-unnamed = without a name
keys-made = Made
keys-used = Last used
keys-never = never
keys-revoked = revoked
keys-revoke = Revoke
keys-for = What is it for?
keys-new = New key
keys-issued = The new key
keys-issued-text = Copy it now: it is kept nowhere in full.
keys-ask-revoke = Revoke { $key }? Whoever uses it is refused from now on, and the orders placed with it stop.
keys-with-addresses = Remove the webhooks that it registered, too: { $hosts }
said-key-revoked = The key is revoked.

key-limits = Limits
key-limits-title = Limits of { $key }
key-limits-text = What is left empty limits nothing. Programs read the limits of their key by GET /key.
key-limits-day = Activations in any 24 hours
key-limits-day-hint = 50, or 12.25
key-limits-addresses = Addresses it is used from
key-limits-addresses-hint = One a line, at most 20: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32
key-limits-last-day = Last day
key-limits-keep = Keep
key-limits-a-day = { $count } a day
key-limits-places = { $count ->
        [one] { $count } address
       *[other] { $count } addresses
    }
key-limits-until = until { $day }
said-key-limited = The limits hold from now on.
