CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`owed_since` integer NOT NULL,
	`last_at` integer,
	`status` integer,
	`problem` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`message_id`) REFERENCES `webhook_messages`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_state" CHECK(state in ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_next" CHECK((state = 'waiting') = (next_at is not null))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`webhook_id`,`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_message` ON `webhook_deliveries` (`message_id`);--> statement-breakpoint
CREATE TABLE `webhook_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_messages_by_age` ON `webhook_messages` (`at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`account_id` integer NOT NULL,
	`url_secret` blob NOT NULL,
	`signing_secret` blob NOT NULL,
	`events` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`disabled_at` integer,
	`removed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_by_reference` ON `webhooks` (`reference`);--> statement-breakpoint
CREATE INDEX `webhooks_by_account` ON `webhooks` (`account_id`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `webhooks_removed` ON `webhooks` (`removed_at`) WHERE removed_at is not null;--> statement-breakpoint
ALTER TABLE `redemptions` ADD `idempotency_key_secret` blob;