# /settings.

command-settings = Language, notices, low stock

language-en = English
language-ru = Русский

settings-title = <b>Settings</b>
settings-language = Language: { $language }
settings-language-telegram = Language: { $language }, as in your Telegram
settings-language-set = I speak English from now on.
settings-more = Notices: which ones you want to get.
settings-stock-hint = Low stock: I tell you when a denomination runs low. You can also send /settings 60 50: under 50 codes of 60.

settings-button-as-telegram = As in my Telegram
settings-button-notices = Notices
settings-button-stock = Low stock
settings-button-back = Back
settings-button-never = Never

settings-notices = Press a notice to turn it on or off. 🔔 is on, 🔕 is off.
settings-notice-stocklow = Stock is low
settings-notice-doubtsettled = A redemption in doubt was settled
settings-notice-quotaused = Daily quota is running out
settings-notice-subscriptionends = Subscription ends

settings-stock = When shall I tell that codes run low? Choose a denomination.
settings-stock-none = No game here has a code database, so there is no stock to watch.
settings-lot = { $lot }: under { $threshold }
settings-lot-off = { $lot }: never
settings-lot-ask = Tell when fewer codes of { $lot } are left than… For another number send /settings { $denomination } and the number.
settings-saved = Saved.
settings-threshold-set = Saved: I tell you when fewer than { $threshold } codes of { $lot } are left.
settings-threshold-off = Saved: I do not tell you about { $lot } any more (threshold { $threshold }).
settings-threshold-wrong = That does not fit. Denominations: { $denominations }. The number may be 0 (never) to { $most }. For example: /settings 60 50
