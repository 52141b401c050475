-- Redemptions counted by day, so that nobody walks through them for statistics. Triggers keep the counts, whoever settles. A file
-- that has many redemptions is counted in slices, newest first (src/store/tables/day-counts.ts): those up to `uncounted` are left to that.
CREATE TABLE `day_counts` (
	`day` integer NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`outcome` text NOT NULL,
	`amount` integer NOT NULL,
	`denomination` integer NOT NULL,
	`spent` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `account_id`, `game_id`, `outcome`, `amount`, `denomination`, `spent`),
	CONSTRAINT "day_counts_outcome" CHECK(outcome in ('redeemed', 'failed', 'in_doubt'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `uncounted` (
	`up_to` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `uncounted` (`up_to`) SELECT CASE WHEN coalesce(max(`id`), 0) > 50000 THEN max(`id`) ELSE 0 END FROM `redemptions`;--> statement-breakpoint
INSERT INTO `day_counts` (`day`, `account_id`, `game_id`, `outcome`, `amount`, `denomination`, `spent`, `count`)
	SELECT r.`created_at` / 86400000, r.`account_id`, r.`game_id`, r.`state`, CASE WHEN r.`state` = 'redeemed' THEN coalesce(r.`amount`, 0) ELSE 0 END, coalesce(r.`denomination`, 0), CASE WHEN r.`state` <> 'redeemed' OR r.`code_id` IS NULL THEN 0 WHEN r.`mode` = 'database' THEN coalesce(r.`denomination`, 0) ELSE coalesce((SELECT c.`denomination` FROM `codes` c WHERE c.`id` = r.`code_id`), 0) END, count(*)
	FROM `redemptions` r WHERE r.`state` <> 'pending' AND r.`id` > (SELECT `up_to` FROM `uncounted`) GROUP BY 1, 2, 3, 4, 5, 6, 7;--> statement-breakpoint
CREATE TRIGGER `redemptions_counted` AFTER UPDATE OF `state` ON `redemptions`
WHEN old.`state` <> new.`state` AND new.`id` > (SELECT `up_to` FROM `uncounted`)
BEGIN
	UPDATE `day_counts` SET `count` = `count` - 1 WHERE old.`state` <> 'pending'
		AND `day` = old.`created_at` / 86400000
		AND `account_id` = old.`account_id`
		AND `game_id` = old.`game_id`
		AND `outcome` = old.`state`
		AND `amount` = CASE WHEN old.`state` = 'redeemed' THEN coalesce(old.`amount`, 0) ELSE 0 END
		AND `denomination` = coalesce(old.`denomination`, 0)
		AND `spent` = CASE WHEN old.`state` <> 'redeemed' OR old.`code_id` IS NULL THEN 0 WHEN old.`mode` = 'database' THEN coalesce(old.`denomination`, 0) ELSE coalesce((SELECT c.`denomination` FROM `codes` c WHERE c.`id` = old.`code_id`), 0) END;
	INSERT INTO `day_counts` (`day`, `account_id`, `game_id`, `outcome`, `amount`, `denomination`, `spent`, `count`)
		SELECT new.`created_at` / 86400000, new.`account_id`, new.`game_id`, new.`state`, CASE WHEN new.`state` = 'redeemed' THEN coalesce(new.`amount`, 0) ELSE 0 END, coalesce(new.`denomination`, 0), CASE WHEN new.`state` <> 'redeemed' OR new.`code_id` IS NULL THEN 0 WHEN new.`mode` = 'database' THEN coalesce(new.`denomination`, 0) ELSE coalesce((SELECT c.`denomination` FROM `codes` c WHERE c.`id` = new.`code_id`), 0) END, 1 WHERE new.`state` <> 'pending'
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_counted_at_once` AFTER INSERT ON `redemptions` WHEN new.`state` <> 'pending' AND new.`id` > (SELECT `up_to` FROM `uncounted`)
BEGIN
	INSERT INTO `day_counts` (`day`, `account_id`, `game_id`, `outcome`, `amount`, `denomination`, `spent`, `count`)
		VALUES (new.`created_at` / 86400000, new.`account_id`, new.`game_id`, new.`state`, CASE WHEN new.`state` = 'redeemed' THEN coalesce(new.`amount`, 0) ELSE 0 END, coalesce(new.`denomination`, 0), CASE WHEN new.`state` <> 'redeemed' OR new.`code_id` IS NULL THEN 0 WHEN new.`mode` = 'database' THEN coalesce(new.`denomination`, 0) ELSE coalesce((SELECT c.`denomination` FROM `codes` c WHERE c.`id` = new.`code_id`), 0) END, 1)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
