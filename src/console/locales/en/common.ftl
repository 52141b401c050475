# What stands on every page.
console = Console
search = Find anything
menu = Menu
skip = To the content
role-owner = Owner
role-admin = Admin
role-operator = Operator
role-support = Support
role-host = Service administrator

cancel = Cancel
shown-once = Shown here, and never again
done = Done

ago = { $span } ago
ahead = in { $span }
span-seconds = { $count } s
span-minutes = { $count } min
span-hours = { $count } h
span-days = { $count } d

# What could not be shown or done.
problem-title = That did not work
problem-back = To Today
problem-again = Open this page
problem-no-session = This browser is not in the console, or its session has ended.
problem-not-yours = Your role may not do this. Ask the owner of the account.
problem-not-fresh = This needs a new link: it may be done within five minutes after entering. Send /console to the bot, follow its link, and do it again.
not-fresh = Possible within five minutes after entering: send /console to the bot for a new link.
problem-not-found = There is no such thing here, or it is not yours to see.
problem-no-page = There is nothing at this address.
problem-other-method = This address does not take that.
problem-other-origin = This form was not sent from a page of the console.
problem-bad-form = This form is not filled in as it should be.
problem-invalid = That cannot be taken: { $detail }
problem-meanwhile = Somebody was first, or it has changed meanwhile. Look again.
problem-no-subscription = There is no subscription, or the account is paused.
problem-busy = Too much is going on. Try again in a few seconds.
problem-since-restore = Since the restore the platform is asked which codes were spent. Nothing was done yet: try again in a minute.
problem-contested = Another machine seems to serve the same codes: nothing is handed out.
problem-too-large = That is larger than 20 MB.
problem-too-many-entries = Too many tries from this address. Try again in { $seconds } s.
problem-ours = Something went wrong on our side. Number { $id }.
