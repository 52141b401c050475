DROP TABLE `duplicate_requests`;--> statement-breakpoint
ALTER TABLE `redemptions` ADD `first_id` integer REFERENCES redemptions(id);--> statement-breakpoint
CREATE INDEX `redemptions_waiting` ON `redemptions` (`first_id`) WHERE first_id is not null and error_code = 'UNKNOWN';