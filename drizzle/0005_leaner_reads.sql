DROP INDEX `outbox_waiting`;--> statement-breakpoint
CREATE INDEX `outbox_by_age` ON `outbox` (`at`);--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `accounts_by_end` ON `accounts` (`subscription_expires_at`);--> statement-breakpoint
CREATE INDEX `imports_collecting` ON `imports` (`at`) WHERE state = 'collecting';