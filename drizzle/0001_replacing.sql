ALTER TABLE `orders` ADD `items` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `orders` SET `items` = (SELECT count(*) FROM `order_items` WHERE `order_id` = `orders`.`id`);--> statement-breakpoint
-- What OR REPLACE takes away no trigger of DELETE hears of: here nothing is put in the place of another row, whoever writes.
CREATE TRIGGER `attempts_alone` BEFORE INSERT ON `attempts` WHEN new.`kind` = 'resend'
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id` AND `state` = new.`state`)
BEGIN
	SELECT raise(ABORT, 'Of the attempts of a redemption one is open, and one has spent the code.');
END;--> statement-breakpoint
CREATE TRIGGER `attempts_spent_once` BEFORE UPDATE ON `attempts` WHEN new.`state` = 'spent' AND old.`state` <> 'spent'
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id` AND `state` = 'spent')
BEGIN
	SELECT raise(ABORT, 'Of the attempts of a redemption one is open, and one has spent the code.');
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_added` BEFORE INSERT ON `audit_log` WHEN new.`id` <> -1 AND new.`id` <= (SELECT max(`id`) FROM `audit_log`)
BEGIN
	SELECT raise(ABORT, 'The audit log is only added to.');
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_numbered` AFTER INSERT ON `audit_log` WHEN new.`id` < 1
BEGIN
	SELECT raise(ABORT, 'The audit log is only added to.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_new` BEFORE INSERT ON `redemptions`
WHEN EXISTS (SELECT 1 FROM `redemptions` WHERE `id` = new.`id`)
	OR ((new.`live` is not null OR new.`state` <> 'failed')
		AND EXISTS (SELECT 1 FROM `redemptions` WHERE `code_hash` = new.`code_hash` AND `live` is not null))
BEGIN
	SELECT raise(ABORT, 'A redemption takes the place of no other, and a code has one that has not failed.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_alone` BEFORE UPDATE ON `redemptions`
WHEN (old.`live` is null OR new.`code_hash` is not old.`code_hash`) AND (new.`live` is not null OR new.`state` <> 'failed')
	AND EXISTS (SELECT 1 FROM `redemptions` WHERE `code_hash` = new.`code_hash` AND `live` is not null AND `id` <> old.`id`)
BEGIN
	SELECT raise(ABORT, 'A redemption takes the place of no other, and a code has one that has not failed.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_stay` BEFORE UPDATE ON `redemptions`
WHEN new.`id` <> old.`id` OR ((new.`mode` <> old.`mode` OR new.`account_id` <> old.`account_id` OR new.`denomination` is not old.`denomination`
		OR (new.`player_id` <> old.`player_id` AND old.`state` in ('pending', 'in_doubt')))
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = old.`id`))
BEGIN
	SELECT raise(ABORT, 'A code that was sent stays with its redemption and its player.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_stand` BEFORE DELETE ON `redemptions`
BEGIN
	SELECT raise(ABORT, 'No redemption is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_new` BEFORE INSERT ON `orders` WHEN EXISTS (SELECT 1 FROM `orders` WHERE `id` = new.`id` OR `name` = new.`name`)
BEGIN
	SELECT raise(ABORT, 'An order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_stay` BEFORE UPDATE ON `orders` WHEN new.`id` <> old.`id` OR new.`name` <> old.`name`
BEGIN
	SELECT raise(ABORT, 'An order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_stand` BEFORE DELETE ON `orders`
BEGIN
	SELECT raise(ABORT, 'No order is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_new` BEFORE INSERT ON `order_items`
WHEN EXISTS (SELECT 1 FROM `order_items` WHERE `rowid` = new.`rowid`)
	OR EXISTS (SELECT 1 FROM `order_items` WHERE `order_id` = new.`order_id` AND `n` = new.`n`)
	OR EXISTS (SELECT 1 FROM `order_items` WHERE `redemption_id` = new.`redemption_id`)
BEGIN
	SELECT raise(ABORT, 'A code of an order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_stay` BEFORE UPDATE ON `order_items`
WHEN new.`rowid` <> old.`rowid` OR new.`order_id` <> old.`order_id` OR new.`n` <> old.`n`
	OR (new.`redemption_id` is not old.`redemption_id` AND EXISTS (SELECT 1 FROM `order_items` WHERE `redemption_id` = new.`redemption_id`))
BEGIN
	SELECT raise(ABORT, 'A code of an order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_stand` BEFORE DELETE ON `order_items`
BEGIN
	SELECT raise(ABORT, 'No code of an order is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_counted` AFTER INSERT ON `order_items`
BEGIN
	UPDATE `orders` SET `items` = `items` + 1 WHERE `id` = new.`order_id`;
END;--> statement-breakpoint
CREATE TRIGGER `promises_paused_at_once` AFTER INSERT ON `stock_pauses` WHEN new.`paused_at` IS NOT NULL
BEGIN
	UPDATE `order_items` SET `promised` = 0 WHERE `promised` > 0
		AND `account_id` = new.`account_id` AND `game_id` = new.`game_id` AND `denomination` = new.`denomination`;
END;--> statement-breakpoint
CREATE TRIGGER `members_new` BEFORE INSERT ON `members`
WHEN EXISTS (SELECT 1 FROM `members` WHERE `telegram_id` = new.`telegram_id`)
	OR (new.`role` = 'owner' AND EXISTS (SELECT 1 FROM `members` WHERE `account_id` = new.`account_id` AND `role` = 'owner'))
BEGIN
	SELECT raise(ABORT, 'A member takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `members_stay` BEFORE UPDATE ON `members`
WHEN new.`telegram_id` <> old.`telegram_id` OR (new.`role` = 'owner' AND EXISTS (SELECT 1 FROM `members`
	WHERE `account_id` = new.`account_id` AND `role` = 'owner' AND `telegram_id` <> old.`telegram_id`))
BEGIN
	SELECT raise(ABORT, 'A member takes the place of no other.');
END;
