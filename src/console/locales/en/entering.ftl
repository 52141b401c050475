enter-title = Enter the console
enter-what = This link works once. Go on only if you asked for it yourself.
enter-as = Continue as { $person }, { $role ->
        [owner] owner
        [admin] admin
        [operator] operator
       *[support] support
    } of { $shop }
enter-as-host = Continue as { $person }, service administrator
enter-not = You are not in
enter-used = This link was used already: { $when }, by { $browser }.
enter-used-next = If that was not you: send /console to the bot, enter by its new link, and end the other session under your name.
enter-expired = This link is older than five minutes.
enter-unknown = This link leads nowhere: it is not whole, or your role has changed since.
enter-next = Send /console to the bot: its link brings you here. Without a bot whoever runs the service makes one.
enter-send-again = Once you are in again, send what you typed
