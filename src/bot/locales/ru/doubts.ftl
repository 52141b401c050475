host-doubts =
    <b>Под вопросом: { $count }</b>, аккаунт { $account }
    Платформа не сообщила, чем закончились эти активации. Я продолжаю спрашивать, за это время ничего не пропадёт.
host-doubts-none = У аккаунта { $account } ничего под вопросом нет.
host-doubt = { $id } · { $when } · { $player } · { $game }{ $denomination }
host-doubt-held = ждёт вас
host-doubt-over = Она больше не под вопросом.
host-doubt-title = <b>Под вопросом</b>, аккаунт { $account }
host-doubt-earlier =
    { $count ->
        [one] До этого отправлено { $count } раз.
        [few] До этого отправлено { $count } раза.
       *[many] До этого отправлено { $count } раз.
    }
host-attempt = <b>{ $n }</b> · { $upstream } · { $kind } { $when } · { $state } · { $said }
host-attempt-answer = <code>{ $text }</code>
host-attempt-order = отправлено
host-attempt-resend = отправлено снова
host-attempt-open = выполняется
host-attempt-unknown = итог неизвестен
host-attempt-spent = код израсходован
host-attempt-not-spent = код не израсходован
host-doubt-tellers = О коде могут сказать: { $names }
host-doubt-no-tellers = О коде никто не скажет: это покажет только повторная отправка или вы.
host-doubt-sending = Её отправляют прямо сейчас: решить пока нельзя.
host-doubt-early = До { $until } её ещё могут выполнить; сказать, что активации не было, можно только после.
host-button-was-redeemed = Активация была
host-button-was-not = Активации не было
host-decide-reason = Откуда вы знаете, чем закончилась { $id }? Напишите одной строкой; аккаунт прочтёт это в своём журнале.
host-decide-reason-again = Напишите причину одной строкой, не длиннее { $most } символов.
host-ask-decide-redeemed =
    Код активации { $id } активирован для её игрока?
    Она станет чеком без логина и будет засчитана. Вы говорите: { $reason }
host-ask-decide-returned =
    Код активации { $id } не активирован?
    Он вернётся на склад и будет проверен перед использованием, активация вернётся. Если он всё же активирован, его могут продать дважды. Вы говорите: { $reason }
host-decided-redeemed = Готово: { $id } активирована. Аккаунт узнает об этом.
host-decided-returned = Готово: по { $id } ничего не активировано. Аккаунт узнает об этом.
