DROP INDEX `outbox_waiting`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `job_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_held` ON `outbox` (`job_id`) WHERE job_id is not null and state = 'waiting';--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`chat_id`,`at`,`id`) WHERE state = 'waiting' and job_id is null;--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `attempts`;--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `next_at`;--> statement-breakpoint
ALTER TABLE `watches` ADD `language` text;--> statement-breakpoint
ALTER TABLE `watches` ADD `deed` text;