-- Round 1's schema (the migrations 0000 to 0002 as they were at commit 21aa3f7). Frozen: the yardstick keeps it whatever becomes of ours. Tables that it does not write are left out.
CREATE TABLE `batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`actor` text NOT NULL,
	`at` integer NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`undone_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `batches_by_account` ON `batches` (`account_id`,`at`);
CREATE TABLE `codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`state` text NOT NULL,
	`claimed_from` text,
	`code_hash` blob NOT NULL,
	`code_secret` blob NOT NULL,
	`batch_id` integer NOT NULL,
	`extraction_id` integer,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`extraction_id`) REFERENCES `extractions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "codes_state" CHECK(state in ('available', 'unverified', 'reserved', 'in_doubt', 'redeemed', 'used', 'invalid', 'extracted', 'undone')),
	CONSTRAINT "codes_claimed" CHECK((state in ('reserved', 'in_doubt')) <= (claimed_from is not null))
) STRICT;
CREATE UNIQUE INDEX `codes_owned` ON `codes` (`game_id`,`code_hash`) WHERE state not in ('extracted', 'undone');
CREATE INDEX `codes_takeable` ON `codes` (`account_id`,`game_id`,`denomination`,`id`) WHERE state in ('available', 'unverified');
CREATE INDEX `codes_by_batch` ON `codes` (`batch_id`);
CREATE INDEX `codes_by_extraction` ON `codes` (`extraction_id`) WHERE extraction_id is not null;
CREATE TABLE `extractions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`actor` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `extractions_by_account` ON `extractions` (`account_id`,`at`);
CREATE TABLE `redemptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`account_id` integer NOT NULL,
	`actor` text NOT NULL,
	`game_id` text NOT NULL,
	`player_id` text NOT NULL,
	`mode` text NOT NULL,
	`denomination` integer,
	`code_id` integer,
	`code_hash` blob,
	`code_secret` blob,
	`code_tail_hash` blob,
	`state` text NOT NULL,
	`error_code` text,
	`error_message` text,
	`code_reset` integer DEFAULT 0 NOT NULL,
	`warning` integer DEFAULT 0 NOT NULL,
	`openid` text,
	`player_name` text,
	`region` text,
	`product_name` text,
	`amount` integer,
	`credentials_secret` blob,
	`charge_id` integer,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`took_ms` integer DEFAULT 0 NOT NULL,
	`doubted_at` integer,
	`looks` integer DEFAULT 0 NOT NULL,
	`next_look_at` integer,
	FOREIGN KEY (`code_id`) REFERENCES `codes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`charge_id`) REFERENCES `charges`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "redemptions_state" CHECK(state in ('pending', 'in_doubt', 'redeemed', 'failed')),
	CONSTRAINT "redemptions_mode" CHECK(mode in ('database', 'direct')),
	CONSTRAINT "redemptions_settled" CHECK((state in ('redeemed', 'failed')) = (settled_at is not null)),
	CONSTRAINT "redemptions_error" CHECK((state <> 'failed') or (error_code is not null))
) STRICT;
CREATE UNIQUE INDEX `redemptions_live` ON `redemptions` (`game_id`,`code_hash`) WHERE state in ('pending', 'in_doubt', 'redeemed');
CREATE INDEX `redemptions_by_account` ON `redemptions` (`account_id`,`created_at`);
CREATE INDEX `redemptions_by_player` ON `redemptions` (`account_id`,`player_id`);
CREATE INDEX `redemptions_by_tail` ON `redemptions` (`account_id`,`code_tail_hash`);
CREATE INDEX `redemptions_pending` ON `redemptions` (`created_at`) WHERE state = 'pending';
CREATE INDEX `redemptions_in_doubt` ON `redemptions` (`next_look_at`) WHERE state = 'in_doubt';
CREATE INDEX `redemptions_doubted` ON `redemptions` (`game_id`,`code_hash`) WHERE doubted_at is not null;
CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`subscription_expires_at` integer
) STRICT;
CREATE TABLE `charges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`at` integer NOT NULL,
	`daily` integer NOT NULL,
	`purchased` integer NOT NULL,
	`kind` text NOT NULL,
	`returned_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "charges_kind" CHECK(kind in ('redeem', 'character', 'redemptionTime')),
	CONSTRAINT "charges_amounts" CHECK(daily >= 0 and purchased >= 0)
) STRICT;
CREATE INDEX `charges_in_window` ON `charges` (`account_id`,`at`,`daily`) WHERE returned_at is null;
CREATE TABLE `quotas` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`window_start` integer DEFAULT 0 NOT NULL,
	`purchased` integer DEFAULT 0 NOT NULL,
	`noticed_80_at` integer DEFAULT 0 NOT NULL,
	`noticed_100_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quotas_bounds" CHECK(used >= 0 and purchased >= 0)
) STRICT;
ALTER TABLE `accounts` ADD `end_told_of` integer DEFAULT 0 NOT NULL;
ALTER TABLE `accounts` ADD `end_told_stage` integer DEFAULT 0 NOT NULL;
