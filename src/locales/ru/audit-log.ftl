# Что было сделано, словами журнала.
log-account-opened = открыт аккаунт { $called }
log-account-paused = аккаунт приостановлен
log-account-resumed = аккаунт возобновлён
log-account-closed = аккаунт закрыт
log-account-reopened = аккаунт снова открыт
log-account-renamed = новое название аккаунта: { $was } → { $is }
log-contact-set = контакт на ссылках: { $was } → { $is }
log-time-zone-set = часовой пояс: { $was } → { $is }
log-threshold-set = порог склада { $game } { $denomination }: { $was } → { $is }
log-member-invited = приглашение, роль: { $role }
log-owner-invited = приглашение владельца
log-owner-to-be-replaced = приглашение другого владельца вместо { $person }
log-owner-stayed = владелец остаётся
log-member-joined = вступление в аккаунт, роль: { $role }
log-member-left = выход из аккаунта, роль была: { $role }
log-member-removed = удаление: { $person }, роль была: { $role }
log-role-changed = новая роль: { $person } — { $role }
log-handed-over = аккаунт передан: { $person }
log-key-issued = создан ключ API: { $key }…
log-key-revoked = отозван ключ API: { $key }…
log-key-limited = ограничения ключа API { $key }…: { $dayLimit } в сутки, адреса { $addresses }, до { $expiresAt }
log-console-entered = вход в консоль: { $browser }
log-console-left = завершён сеанс консоли
log-webhook-added = добавлен вебхук: { $host }
log-webhook-removed = удалён вебхук: { $host }
log-webhook-enabled = включён вебхук: { $host }
log-webhook-disabled = выключен вебхук: { $host }
log-claims-issued = созданы ссылки для покупателей: { $count } × { $game } { $amount } ({ $number })
log-claims-revoked = отозвано ссылок: { $count }
log-claim-reopened = ссылка { $number } открыта снова
log-claim-player-set = задан игрок для ссылки { $number }
log-claims-reopened = ссылки, что были открыты до восстановления, открыты снова: { $count }
log-codes-extracted = выдача кодов: { $count } × { $game } { $denomination } (выдача { $number })
log-batch-undone = отмена партии { $number } ({ $count })
log-codes-put-back = возвращено на склад после восстановления: { $count } × { $game } { $denomination }
log-codes-shown = посмотрели, какие коды { $game } { $denomination } могли быть выданы
log-stock-paused = { $game } { $denomination } на паузе: отказов подряд — { $count }
log-stock-resumed = { $game } { $denomination } снова в работе
log-credentials-exported = заказана выгрузка с кодами и логинами, дней: { $days }
log-days-granted = начислено дней: { $days } (платёж { $number })
log-activations-granted = начислено активаций: { $count } (платёж { $number })
log-refunded = возврат платежа { $number }
log-doubts-asked = запрос платформе о неясных активациях: { $count }
log-doubt-decided =
    активация { $number } была под вопросом; решено: { $outcome ->
        [redeemed] активирована
       *[returned] не активирована
    } ({ $reason })
log-platform-adopted = платформа: { $was } → { $is }
log-database-adopted = сервис перенесён; остановлен { $since }
log-restored = восстановлена резервная копия: ничего не известно с { $since } по { $until }
log-credentials-shown = { $of ->
        [order] показаны логины заказа { $number }
       *[redemption] показаны код и логин чека { $number }
    }
log-customer-receipt-made = { $of ->
        [order] сделан чек для клиента по заказу { $number }
       *[redemption] чек { $number } сделан для клиента
    }
