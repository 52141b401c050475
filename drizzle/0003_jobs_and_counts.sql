CREATE TABLE `stock_counts` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`, `state`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `job_slices` (
	`job_id` integer NOT NULL,
	`position` integer NOT NULL,
	`denomination` integer NOT NULL,
	`content_secret` blob NOT NULL,
	`added` integer,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`actor` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`cursor` text,
	`problem` text,
	`at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "jobs_kind" CHECK(kind in ('add', 'undo', 'extract')),
	CONSTRAINT "jobs_state" CHECK(state in ('running', 'done', 'set_aside', 'cancelled')),
	CONSTRAINT "jobs_ended" CHECK((state = 'running') = (ended_at is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_by_subject` ON `jobs` (`kind`,`subject_id`);--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`id`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `jobs_by_age` ON `jobs` (`ended_at`);--> statement-breakpoint
DROP INDEX `codes_by_batch`;--> statement-breakpoint
DROP INDEX `codes_takeable`;--> statement-breakpoint
ALTER TABLE `codes` ADD `returns` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Codes that one batch has twice (an interrupted import once took back codes that were handed out meanwhile): each further
-- row moves to a batch of its own, so that nothing is lost and the index below holds.
CREATE TEMP TABLE `twice` AS SELECT c.`id` AS `code_id`, c.`batch_id`, (SELECT max(`id`) FROM `batches`) + row_number() OVER (ORDER BY c.`id`) AS `new_batch_id`
	FROM (SELECT `id`, `batch_id`, row_number() OVER (PARTITION BY `batch_id`, `code_hash` ORDER BY `id`) AS `turn` FROM `codes`) c WHERE c.`turn` > 1;--> statement-breakpoint
INSERT INTO `batches` (`id`, `account_id`, `game_id`, `actor`, `at`, `added`)
	SELECT t.`new_batch_id`, c.`account_id`, c.`game_id`, 'host', c.`changed_at`, 1 FROM temp.`twice` t JOIN `codes` c ON c.`id` = t.`code_id`;--> statement-breakpoint
UPDATE `batches` SET `added` = `added` - (SELECT count(*) FROM temp.`twice` t WHERE t.`batch_id` = `batches`.`id`) WHERE `id` IN (SELECT `batch_id` FROM temp.`twice`);--> statement-breakpoint
UPDATE `codes` SET `batch_id` = (SELECT t.`new_batch_id` FROM temp.`twice` t WHERE t.`code_id` = `codes`.`id`) WHERE `id` IN (SELECT `code_id` FROM temp.`twice`);--> statement-breakpoint
DROP TABLE temp.`twice`;--> statement-breakpoint
CREATE UNIQUE INDEX `codes_in_batch` ON `codes` (`batch_id`,`code_hash`);--> statement-breakpoint
CREATE INDEX `codes_takeable` ON `codes` (`account_id`,`game_id`,`denomination`,`returns`,`id`) WHERE state in ('available', 'unverified');--> statement-breakpoint
DROP INDEX `charges_in_window`;--> statement-breakpoint
CREATE INDEX `charges_in_window` ON `charges` (`account_id`,`at`,`daily`) WHERE returned_at is null and daily > 0;--> statement-breakpoint
ALTER TABLE `extractions` ADD `wanted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `extractions` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `batch_id` integer;--> statement-breakpoint
UPDATE `extractions` SET `ended_at` = `at`, `wanted` = (SELECT count(*) FROM `codes` WHERE `extraction_id` = `extractions`.`id`);--> statement-breakpoint
-- Imports that an earlier version left in the middle: nobody knows how far they came, so they are not redone from their list.
-- The job has no slices: it is set aside, and its owner told.
INSERT INTO `jobs` (`account_id`, `actor`, `kind`, `subject_id`, `state`, `total`, `at`)
	SELECT `account_id`, `actor`, 'add', `batch_id`, 'running', 0, `at` FROM `imports` WHERE `state` = 'committing' AND `batch_id` IS NOT NULL;--> statement-breakpoint
INSERT INTO `stock_counts` (`account_id`, `game_id`, `denomination`, `state`, `count`)
	SELECT `account_id`, `game_id`, `denomination`, `state`, count(*) FROM `codes` GROUP BY 1, 2, 3, 4;--> statement-breakpoint
CREATE TRIGGER `codes_counted` AFTER UPDATE OF `state` ON `codes` WHEN old.`state` <> new.`state`
BEGIN
	UPDATE `stock_counts` SET `count` = `count` - 1
		WHERE `account_id` = old.`account_id` AND `game_id` = old.`game_id` AND `denomination` = old.`denomination` AND `state` = old.`state`;
	INSERT INTO `stock_counts` (`account_id`, `game_id`, `denomination`, `state`, `count`)
		VALUES (new.`account_id`, new.`game_id`, new.`denomination`, new.`state`, 1)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
