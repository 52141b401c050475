CREATE TABLE `pasted_messages` (
	`batch_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`added` integer NOT NULL,
	PRIMARY KEY(`batch_id`, `message_id`),
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `imports` ADD `answers` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `shown_in` integer;--> statement-breakpoint
CREATE INDEX `batches_by_actor` ON `batches` (`account_id`,`actor`,`at`);