CREATE TABLE `stock_pauses` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`refused` integer NOT NULL,
	`paused_at` integer,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `batches` ADD `undone_by` text;--> statement-breakpoint
-- What came back after its batch was undone is taken back, too.
UPDATE `codes` SET `state` = 'undone' WHERE `state` in ('available', 'unverified')
	AND `batch_id` in (SELECT `id` FROM `batches` WHERE `undone_at` is not null);--> statement-breakpoint
ALTER TABLE `extractions` ADD `taken` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `extractions` ADD `sent_at` integer;--> statement-breakpoint
ALTER TABLE `extractions` ADD `unsent_told_at` integer;--> statement-breakpoint
UPDATE `extractions` SET `sent_at` = `at`, `taken` =
	(SELECT count(*) FROM `codes` WHERE `extraction_id` = `extractions`.`id` AND `extraction_id` is not null);--> statement-breakpoint
DELETE FROM `extractions` WHERE `taken` = 0 AND `id` not in (SELECT `subject_id` FROM `jobs` WHERE `kind` = 'extract')
	AND `id` not in (SELECT `extraction_id` FROM `idempotency_keys` WHERE `extraction_id` is not null);--> statement-breakpoint
CREATE INDEX `codes_refused` ON `codes` (`account_id`,`game_id`,`denomination`) WHERE state in ('used', 'invalid');