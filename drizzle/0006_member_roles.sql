ALTER TABLE `members` ADD `role_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `members` SET `role_at` = `joined_at`;
