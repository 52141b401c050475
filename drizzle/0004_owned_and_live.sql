-- `owned` and `live` take the place of the states in the unique indexes, so that a change of state does not rewrite them. A file
-- that has rows is turned over in slices (src/store/engine/turnover.ts); until the last is in, the old indexes
-- `codes_owned` and `redemptions_live` stand and decide. Triggers keep the columns true, whoever changes a state.
ALTER TABLE `codes` ADD `owned` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `codes_by_hash` ON `codes` (`code_hash`) WHERE owned is not null;--> statement-breakpoint
ALTER TABLE `redemptions` ADD `live` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `redemptions_by_hash` ON `redemptions` (`code_hash`) WHERE live is not null;--> statement-breakpoint
CREATE TRIGGER `codes_added` AFTER INSERT ON `codes` WHEN (new.`owned` is null) <> (new.`state` in ('extracted', 'undone'))
BEGIN
	UPDATE `codes` SET `owned` = CASE WHEN new.`state` in ('extracted', 'undone') THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `codes_departed` AFTER UPDATE OF `state` ON `codes`
WHEN (old.`state` in ('extracted', 'undone')) <> (new.`state` in ('extracted', 'undone'))
BEGIN
	UPDATE `codes` SET `owned` = CASE WHEN new.`state` in ('extracted', 'undone') THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_added` AFTER INSERT ON `redemptions` WHEN (new.`live` is null) <> (new.`state` = 'failed')
BEGIN
	UPDATE `redemptions` SET `live` = CASE WHEN new.`state` = 'failed' THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_ended` AFTER UPDATE OF `state` ON `redemptions` WHEN (old.`state` = 'failed') <> (new.`state` = 'failed')
BEGIN
	UPDATE `redemptions` SET `live` = CASE WHEN new.`state` = 'failed' THEN null ELSE 1 END WHERE `id` = new.`id`;
END;
