-- In which time zone an account reads times, and by what redemptions are found by the beginning of their code. Those that are
-- there already are noted in slices, newest first (src/store/tables/code-beginnings.ts).
CREATE TABLE `code_beginnings` (
	`account_id` integer NOT NULL,
	`hash` blob NOT NULL,
	`redemption_id` integer NOT NULL,
	PRIMARY KEY(`account_id`, `hash`, `redemption_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `code_beginnings_left` (
	`newer` integer NOT NULL,
	`older` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `code_beginnings_left` (`newer`, `older`) SELECT coalesce(max(`id`), 0), coalesce(max(`id`), 0) FROM `redemptions`;--> statement-breakpoint
ALTER TABLE `accounts` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;
