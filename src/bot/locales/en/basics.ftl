# /start and its links, /help, /cancel, /settings, and what is said where nothing else answers.

command-start = Home: what is left, and what you do most
command-help = Commands
command-cancel = Cancel what you have begun
command-settings = Language, time zone, notices, low stock

start-who = <b>{ $account }</b> · { $role ->
        [owner] you are the owner
        [admin] you are an admin
        [operator] you are an operator
       *[support] you are support
    }
start-quota = Activations left: { $left } of { $limit } (24 h) + { $purchased } bought
start-stock = In stock: { $stock }
start-stock-empty = no codes yet

start-quota-off = Activations: { $limit } in 24 h once there is a subscription + { $purchased } bought
start-opened = Welcome! I opened an account of your own.
start-stranger =
    Hello! I redeem prepaid top-up codes for shops.
    To use me you need an invitation: ask the owner of the account for a link, then open it or paste the link here.
    Your Telegram id: <code>{ $id }</code>
start-sandbox = 🧪 The platform is the <b>sandbox</b>: nothing reaches a game. To redeem for real, set PLATFORM=upstream with UPSTREAM_URL and UPSTREAM_TOKEN, and start again.

start-host =
    Hello! You are the service administrator and not a member of any account.
    Send anything to look for an account: a name, an @name, a number. /help shows the rest.
hint-order = No command is needed: send a player ID and an amount (<code>5170925571 60</code>), paste codes to add them, send anything else to find a receipt.
hint-find = No command is needed: send anything to find a receipt, such as a player ID, a name or a code.
hint-accounts = No command is needed: send anything to look for an account, such as a name, an @name or a number.
help-group-service = <b>The service</b>
help-group-day = <b>Every day</b>
help-group-stock = <b>Stock</b>
help-group-money = <b>Money</b>
help-group-settings = <b>Settings</b>
help-in-group = <b>What I can do in a group</b>
help-in-group-receipt = /receipt_1234 — The receipt of this number, without code and credentials
help-in-group-rest = Everything else I do in our private chat.
start-group = I am here. In a group I answer /help, /stock, /quota and receipts; everything else in our private chat.
start-open-private = Open our private chat

start-joined = Welcome! You are in { $account } now. Your role: { $role }.
members-someone-joined = { $person } used your invitation. Role: { $role }.
start-already-here = You are in { $account } already. Your role: { $role }.
start-invitation-over = This invitation was used, or is older than 24 hours. Ask for a new link.
start-not-yet = This link makes you the owner of { $account }, from { $at } on: the owner of now has a day to say that they are there. Open it again then.
start-leave-first =
    You are a member of { $account }, and one person can be in one account only.
    Leave it first: open /members and press the button. Then open this link again; it stays good for its 24 hours.
start-hand-over-first =
    You own { $account }, which is not empty, so I did not take you out of it.
    First hand it over to another member in /members, then leave it there, and open this link again. If nobody else is in it, invite somebody with /invite.

start-button-redeem = Redeem a code
start-button-add-codes = Add codes
start-button-stock = Stock
start-button-quota = Quota
start-button-history = History
start-button-find = Find a receipt
start-button-stats = Statistics
start-button-members = Members
start-button-accounts = Accounts
start-button-health = Health


group-not-yourself = You do not write as yourself here, so I cannot tell who you are. Ask me in our private chat.
only-in-private = I do this in our private chat only.
edited-message = I do not read what is changed later. Send it as a new message, please.
edited-withdrawn = You changed that message, and I read a message once. So I took back what I asked about it: those buttons do nothing any more.
rest-order = Send a player ID and an amount, like 5124780131 60, or paste codes for the stock. /help shows the rest.
rest-command-near = I do not know this command. Did you mean /{ $near }? /help shows all of them.
rest-unread = I cannot read this. Send it as text, or codes as a .txt, .csv or .xlsx file.
rest-text = There is nothing here that I can use. /help shows what I can do.
left-webhooks = Webhooks are looked after in the console, or by your program over HTTP (docs/integrating.md).
left-upstreams = How each upstream stands, and its buttons, are in /health; what it has served is in the console.
rest-command = I do not know this command. /help shows those I know.

language-en = English
language-ru = Русский

settings-title = <b>Settings</b>
settings-language = Language: { $language }
settings-language-telegram = Language: { $language }, as in your Telegram
settings-language-set = I speak English from now on.
settings-more = Notices: { $on } of { $all } on
settings-stock-hint = Low stock: I tell you by myself when a denomination runs low. Another threshold: /settings 60 50, under 50 codes of 60.

settings-name = Name: { $account }
settings-button-name = Account name
settings-name-ask = What shall this account be called? Now it is { $account }. Send me the name, of { $most } characters at most.
settings-name-empty = There is nothing to read in this name. Please send another one.
settings-name-lines = A name is one line. Please send it without line breaks.
settings-name-long = A name has { $most } characters at most, and this one has { $length }. Please send a shorter one.
settings-name-same = The account is called { $account } already.
settings-name-set = Saved. The account is called { $account } now.
settings-contact = Contact on your links: { $account }
settings-button-contact = Contact on links
settings-contact-ask = How do your buyers reach you? The page of every link shows this line beside the name of the account. Now it is { $account }. Send me the line, of { $most } characters at most, such as a name in Telegram; or “none” to show nothing.
settings-contact-empty = There is nothing to read in this line. Please send another one.
settings-contact-lines = The contact is one line. Please send it without line breaks.
settings-contact-long = The contact has { $most } characters at most, and this one has { $length }. Please send a shorter one.
settings-contact-same = The page of your links shows { $account } already.
settings-contact-set = Saved. The page of your links shows { $account } now.
settings-contact-none = Saved. The page of your links shows no contact now.
settings-zone = Time zone: { $zone }
settings-button-zone = Time zone
settings-zone-ask = In which time zone shall everybody in this account see times? Now it is { $zone }, { $time }. Send a city ({ $cities }), the name of a zone such as Europe/Lisbon, or an offset such as UTC+3.
settings-zone-set = Saved. Times are shown in this zone: { $zone }. It is { $time } there now.
settings-zone-wrong = I do not know this time zone. Send a city ({ $cities }), the name of a zone such as Europe/Lisbon, or an offset such as UTC+3.
zone-london = London
zone-berlin = Berlin
zone-kyiv = Kyiv
zone-istanbul = Istanbul
zone-moscow = Moscow
zone-dubai = Dubai
zone-yerevan = Yerevan
zone-tashkent = Tashkent
zone-almaty = Almaty
zone-dhaka = Dhaka
zone-jakarta = Jakarta
zone-shanghai = Shanghai
zone-vladivostok = Vladivostok

settings-button-as-telegram = As in my Telegram
settings-button-notices = Notices
settings-button-stock = Low stock

settings-notices = Press a notice to turn it on or off. 🔔 is on, 🔕 is off.
settings-notice-stocklow = Stock low{ $under ->
        [none] {""}
       *[other] {" · under "}{ $under }
    }
settings-notice-doubtsettled = Doubt settled
settings-notice-quotaused = Quota runs out
settings-notice-subscriptionends = Subscription ends
