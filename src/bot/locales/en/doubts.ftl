host-doubts =
    <b>In doubt: { $count }</b>, account { $account }
    The platform did not say how these ended. I go on asking; nothing is lost meanwhile.
host-doubts-none = Nothing of { $account } is in doubt.
host-doubt = { $id } · { $when } · { $player } · { $game }{ $denomination }
host-doubt-held = waits for you
host-doubt-over = It is in doubt no more.
host-doubt-title = <b>In doubt</b>, account { $account }
host-doubt-earlier =
    { $count ->
        [one] Sent once before that.
       *[other] Sent { $count } times before that.
    }
host-attempt = <b>{ $n }</b> · { $upstream } · { $kind } { $when } · { $state } · { $said }
host-attempt-answer = <code>{ $text }</code>
host-attempt-order = sent
host-attempt-resend = sent again
host-attempt-open = under way
host-attempt-unknown = end not known
host-attempt-spent = spent the code
host-attempt-not-spent = did not spend the code
host-doubt-tellers = Can tell of the code: { $names }
host-doubt-no-tellers = Nobody can tell of the code: only sending it again can, or you.
host-doubt-sending = It is being sent this moment: nobody can decide it yet.
host-doubt-early = It may still be carried out until { $until }; that it was not redeemed can be said from then on.
host-button-was-redeemed = It was redeemed
host-button-was-not = It was not
host-decide-reason = How do you know what became of { $id }? Write it in one line; the account reads it in its log.
host-decide-reason-again = Please write the reason in one line of up to { $most } characters.
host-ask-decide-redeemed =
    Was the code of { $id } redeemed for its player?
    It becomes a receipt without login, and counts. You say: { $reason }
host-ask-decide-returned =
    Was the code of { $id } not redeemed?
    It comes back into the stock, to be asked about before it is used, and the activation is given back. If it was redeemed after all, it may be sold twice. You say: { $reason }
host-decided-redeemed = Done: { $id } is redeemed. Its account is told.
host-decided-returned = Done: nothing was redeemed by { $id }. Its account is told.
