CREATE TABLE `twins` (
	`redemption_id` integer PRIMARY KEY NOT NULL,
	`first_id` integer NOT NULL,
	`settled_at` integer,
	FOREIGN KEY (`redemption_id`) REFERENCES `redemptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`first_id`) REFERENCES `redemptions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `twins_waiting` ON `twins` (`first_id`) WHERE settled_at is null;