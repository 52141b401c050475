ALTER TABLE `accounts` ADD `end_told_of` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `end_told_stage` integer DEFAULT 0 NOT NULL;