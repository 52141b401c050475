-- Round 1's schema (the migrations 0000 to 0002 as they were at commit 21aa3f7). Frozen: the yardsticks keep it whatever becomes of ours.
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
CREATE TABLE `idempotency_keys` (
	`account_id` integer NOT NULL,
	`key_hash` blob NOT NULL,
	`request_hash` blob NOT NULL,
	`redemption_id` integer,
	`extraction_id` integer,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `key_hash`)
) STRICT;

CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`at`);
CREATE TABLE `import_pieces` (
	`import_id` integer NOT NULL,
	`piece_key` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`text_secret` blob NOT NULL,
	PRIMARY KEY(`import_id`, `piece_key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`actor` text NOT NULL,
	`denomination` integer,
	`state` text NOT NULL,
	`batch_id` integer,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "imports_state" CHECK(state in ('collecting', 'committing', 'committed', 'cancelled'))
) STRICT;

CREATE INDEX `imports_by_actor` ON `imports` (`account_id`,`actor`);
CREATE INDEX `imports_committing` ON `imports` (`id`) WHERE state = 'committing';
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`kind` text NOT NULL,
	`payload_secret` blob NOT NULL,
	`at` integer NOT NULL,
	`delivered_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE INDEX `notices_waiting` ON `notices` (`id`) WHERE delivered_at is null;
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
CREATE TABLE `stock_alerts` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`threshold` integer NOT NULL,
	`told` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`subscription_expires_at` integer
) STRICT;

CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`prefix` text NOT NULL,
	`digest` blob NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE UNIQUE INDEX `api_keys_by_digest` ON `api_keys` (`digest`);
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`);
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
CREATE TABLE `invitations` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`role` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_by` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK(role in ('admin', 'operator', 'support'))
) STRICT;

CREATE INDEX `invitations_by_account` ON `invitations` (`account_id`);
CREATE TABLE `members` (
	`telegram_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`username` text,
	`joined_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_role" CHECK(role in ('owner', 'admin', 'operator', 'support'))
) STRICT;

CREATE INDEX `members_by_account` ON `members` (`account_id`);
CREATE UNIQUE INDEX `members_one_owner` ON `members` (`account_id`) WHERE role = 'owner';
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` blob NOT NULL
) STRICT;

CREATE TABLE `purchases` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`charge_id` text NOT NULL,
	`kind` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`activations_quarters` integer NOT NULL,
	`subscription_days` integer NOT NULL,
	`paid_by` text NOT NULL,
	`at` integer NOT NULL,
	`refunded_at` integer,
	`refunded_quarters` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchases_kind" CHECK(kind in ('activations', 'subscription'))
) STRICT;

CREATE UNIQUE INDEX `purchases_by_charge` ON `purchases` (`charge_id`);
CREATE INDEX `purchases_by_account` ON `purchases` (`account_id`);
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

CREATE TABLE `conversations` (
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`state_secret` blob NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`chat_id`, `user_id`)
) STRICT;

CREATE TABLE `drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`payload_secret` blob NOT NULL,
	`expires_at` integer NOT NULL,
	`taken_by` integer
) STRICT;

CREATE INDEX `drafts_by_age` ON `drafts` (`expires_at`);
CREATE TABLE `inbox` (
	`update_id` integer PRIMARY KEY NOT NULL,
	`update_secret` blob NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT "inbox_state" CHECK(state in ('waiting', 'done', 'failed', 'set_aside'))
) STRICT;

CREATE INDEX `inbox_waiting` ON `inbox` (`update_id`) WHERE state = 'waiting';
CREATE INDEX `inbox_by_age` ON `inbox` (`received_at`);
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

CREATE UNIQUE INDEX `outbox_by_key` ON `outbox` (`message_key`);
CREATE INDEX `outbox_waiting` ON `outbox` (`next_at`) WHERE state = 'waiting';
CREATE TABLE `preferences` (
	`telegram_id` integer PRIMARY KEY NOT NULL,
	`language` text,
	`muted_notices` text DEFAULT '' NOT NULL,
	`menu` text DEFAULT '' NOT NULL
) STRICT;

CREATE TABLE `watches` (
	`redemption_id` integer PRIMARY KEY NOT NULL,
	`chat_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`shown` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL
) STRICT;

CREATE INDEX `watches_open` ON `watches` (`redemption_id`) WHERE done = 0;
ALTER TABLE `accounts` ADD `end_told_of` integer DEFAULT 0 NOT NULL;
ALTER TABLE `accounts` ADD `end_told_stage` integer DEFAULT 0 NOT NULL;