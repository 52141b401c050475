CREATE TABLE `conversations` (
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`state_secret` blob NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`chat_id`, `user_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`payload_secret` blob NOT NULL,
	`expires_at` integer NOT NULL,
	`taken_by` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `drafts_by_age` ON `drafts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbox` (
	`update_id` integer PRIMARY KEY NOT NULL,
	`update_secret` blob NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT "inbox_state" CHECK(state in ('waiting', 'done', 'failed', 'set_aside'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `inbox_waiting` ON `inbox` (`update_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `inbox_by_age` ON `inbox` (`received_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`chat_id` integer NOT NULL,
	`message_key` text NOT NULL,
	`message_secret` blob NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "outbox_state" CHECK(state in ('waiting', 'sent', 'dropped'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_key` ON `outbox` (`message_key`);--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE TABLE `preferences` (
	`telegram_id` integer PRIMARY KEY NOT NULL,
	`language` text,
	`muted_notices` text DEFAULT '' NOT NULL,
	`menu` text DEFAULT '' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `watches` (
	`redemption_id` integer PRIMARY KEY NOT NULL,
	`chat_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`shown` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `watches_open` ON `watches` (`redemption_id`) WHERE done = 0;