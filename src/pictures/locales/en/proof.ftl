# The proof of a receipt: a picture for whoever doubts that it was delivered.
proof-title = Redeemed
proof-player = Player
proof-player-id = Player ID
proof-product = Product
proof-amount = Amount
proof-when = Date
proof-settled = Confirmed by the platform
proof-receipt = Receipt
proof-code = Code
proof-foot = The platform has redeemed this code for this player.
proof-sandbox = SANDBOX: nothing real was redeemed
