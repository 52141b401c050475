CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`subscription_expires_at` integer,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`contact` text,
	`paused_at` integer,
	`closed_at` integer,
	`closed_members` text,
	`end_notified_of` integer DEFAULT 0 NOT NULL,
	`end_notified_stage` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `accounts_by_end` ON `accounts` (`subscription_expires_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`prefix` text NOT NULL,
	`digest` blob NOT NULL,
	`name` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`day_limit` integer,
	`addresses` text,
	`expires_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_digest` ON `api_keys` (`digest`);--> statement-breakpoint
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `charge_notes` (
	`charge_id` text NOT NULL,
	`kind` text NOT NULL,
	`payer_id` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `kind`),
	CONSTRAINT "charge_notes_kind" CHECK(kind = 'unbooked' or kind = 'refunded')
) STRICT;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`role` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_by` integer,
	`replaces` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK(role = 'admin' or role = 'operator' or role = 'support')
) STRICT;
--> statement-breakpoint
CREATE INDEX `invitations_by_account` ON `invitations` (`account_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`telegram_id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`username` text,
	`joined_at` integer NOT NULL,
	`role_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_role" CHECK(role = 'owner' or role = 'admin' or role = 'operator' or role = 'support')
) STRICT;
--> statement-breakpoint
CREATE INDEX `members_by_account` ON `members` (`account_id`);--> statement-breakpoint
CREATE INDEX `members_by_username` ON `members` (username collate nocase) WHERE username is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_owner` ON `members` (`account_id`) WHERE role = 'owner';--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `purchase_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`ordered_by` integer NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`at` integer NOT NULL,
	`charge_id` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchase_orders_kind" CHECK(kind = 'activations' or kind = 'subscription'),
	CONSTRAINT "purchase_orders_amounts" CHECK(count > 0 and amount > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `purchase_orders_by_age` ON `purchase_orders` (`at`);--> statement-breakpoint
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
	CONSTRAINT "purchases_kind" CHECK(kind = 'activations' or kind = 'subscription')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_by_charge` ON `purchases` (`charge_id`);--> statement-breakpoint
CREATE INDEX `purchases_by_account` ON `purchases` (`account_id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `usages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`at` integer NOT NULL,
	`daily` integer NOT NULL,
	`purchased` integer NOT NULL,
	`kind` text NOT NULL,
	`returned_at` integer,
	`api_key_id` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "usages_kind" CHECK(kind = 'redeem' or kind = 'character' or kind = 'redemptionTime'),
	CONSTRAINT "usages_amounts" CHECK(daily >= 0 and purchased >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `usages_by_key` ON `usages` (`api_key_id`,`at`,`daily`,`purchased`) WHERE api_key_id is not null and returned_at is null;--> statement-breakpoint
CREATE INDEX `usages_in_window` ON `usages` (`account_id`,`at`,`daily`) WHERE returned_at is null and daily > 0;--> statement-breakpoint
CREATE TABLE `attempts` (
	`redemption_id` integer NOT NULL,
	`n` integer NOT NULL,
	`upstream` text NOT NULL,
	`candidates` text,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`state` text NOT NULL,
	`proof` text,
	`witness` text,
	`error_code` text,
	`http_status` integer,
	`message` text,
	`raw_secret` blob,
	`their_id` text,
	`cost` text,
	`begun_at` integer NOT NULL,
	`ended_at` integer,
	`quiet_until` integer,
	`resolved_at` integer,
	PRIMARY KEY(`redemption_id`, `n`),
	FOREIGN KEY (`redemption_id`) REFERENCES `redemptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attempts_kind" CHECK(kind = 'order' or kind = 'resend'),
	CONSTRAINT "attempts_state" CHECK(state = 'open' or state = 'spent' or state = 'not_spent' or state = 'unknown'),
	CONSTRAINT "attempts_proof" CHECK(proof = 'answer' or proof = 'never_sent' or proof = 'record' or proof = 'lookup' or proof = 'resend' or proof = 'person'),
	CONSTRAINT "attempts_proven" CHECK((state in ('spent', 'not_spent')) = (proof is not null)),
	CONSTRAINT "attempts_never_sent" CHECK(proof is not 'never_sent' or state = 'not_spent'),
	CONSTRAINT "attempts_witness" CHECK(witness is null or proof = 'lookup'),
	CONSTRAINT "attempts_ended" CHECK((state = 'open') = (ended_at is null)),
	CONSTRAINT "attempts_quiet" CHECK(case state when 'open' then quiet_until is null when 'unknown' then quiet_until is not null else 1 end),
	CONSTRAINT "attempts_resolved" CHECK((resolved_at is not null) = (quiet_until is not null and proof is not null))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_open` ON `attempts` (`redemption_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `attempts_their_id` ON `attempts` (`their_id`) WHERE their_id is not null;--> statement-breakpoint
CREATE INDEX `attempts_kept` ON `attempts` (`ended_at`) WHERE raw_secret is not null;--> statement-breakpoint
CREATE INDEX `attempts_witnessed` ON `attempts` (`witness`) WHERE witness is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_spent` ON `attempts` (`redemption_id`) WHERE state = 'spent';--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`actor` text NOT NULL,
	`door` text NOT NULL,
	`what` text NOT NULL,
	`object` text,
	`before` text,
	`after` text,
	`reason` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "audit_log_door" CHECK(door = 'chat' or door = 'http' or door = 'cli' or door = 'page' or door = 'service')
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_log_by_account` ON `audit_log` (`account_id`);--> statement-breakpoint
CREATE INDEX `audit_log_by_object` ON `audit_log` (`object`) WHERE object is not null;--> statement-breakpoint
CREATE TABLE `confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`action` text NOT NULL,
	`payload_secret` blob NOT NULL,
	`expires_at` integer NOT NULL,
	`taken_by` integer,
	`made_of` text,
	`message_id` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `confirmations_by_age` ON `confirmations` (`expires_at`);--> statement-breakpoint
CREATE INDEX `confirmations_asked` ON `confirmations` (`chat_id`,`message_id`) WHERE made_of is not null;--> statement-breakpoint
CREATE TABLE `conversations` (
	`chat_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`state_secret` blob NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`chat_id`, `user_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `inbox` (
	`update_id` integer PRIMARY KEY NOT NULL,
	`update_secret` blob NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`received_at` integer NOT NULL,
	CONSTRAINT "inbox_state" CHECK(state = 'waiting' or state = 'done' or state = 'failed' or state = 'set_aside')
) STRICT;
--> statement-breakpoint
CREATE INDEX `inbox_waiting` ON `inbox` (`update_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `inbox_set_aside` ON `inbox` (`update_id`) WHERE state = 'set_aside';--> statement-breakpoint
CREATE INDEX `inbox_by_age` ON `inbox` (`received_at`);--> statement-breakpoint
CREATE TABLE `preferences` (
	`telegram_id` integer PRIMARY KEY NOT NULL,
	`language` text,
	`muted_notices` text DEFAULT '' NOT NULL,
	`menu` text DEFAULT '' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`actor` text NOT NULL,
	`at` integer NOT NULL,
	`supplier` text,
	`added` integer DEFAULT 0 NOT NULL,
	`undone_at` integer,
	`undone_by` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `batches_by_account` ON `batches` (`account_id`,`at`);--> statement-breakpoint
CREATE INDEX `batches_by_actor` ON `batches` (`account_id`,`actor`,`at`);--> statement-breakpoint
CREATE INDEX `batches_of_suppliers` ON `batches` (`account_id`,`at`) WHERE supplier is not null;--> statement-breakpoint
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
	`returns` integer DEFAULT 0 NOT NULL,
	`owned` integer,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`extraction_id`) REFERENCES `extractions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "codes_state" CHECK(state = 'available' or state = 'unverified' or state = 'in_question' or state = 'reserved' or state = 'in_doubt' or state = 'redeemed' or state = 'used' or state = 'invalid' or state = 'extracted' or state = 'undone'),
	CONSTRAINT "codes_claimed" CHECK((state in ('reserved', 'in_doubt')) <= (claimed_from is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `codes_by_hash` ON `codes` (`code_hash`) WHERE owned is not null;--> statement-breakpoint
CREATE INDEX `codes_takeable` ON `codes` (`account_id`,`game_id`,`denomination`,`returns`) WHERE state in ('available', 'unverified');--> statement-breakpoint
CREATE INDEX `codes_refused` ON `codes` (`account_id`,`game_id`,`denomination`) WHERE state in ('used', 'invalid');--> statement-breakpoint
CREATE INDEX `codes_in_question` ON `codes` (`account_id`,`game_id`,`denomination`,`returns`) WHERE state = 'in_question';--> statement-breakpoint
CREATE UNIQUE INDEX `codes_in_batch` ON `codes` (`batch_id`,`code_hash`);--> statement-breakpoint
CREATE INDEX `codes_by_extraction` ON `codes` (`extraction_id`) WHERE extraction_id is not null;--> statement-breakpoint
CREATE TABLE `extractions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`actor` text NOT NULL,
	`at` integer NOT NULL,
	`requested` integer DEFAULT 0 NOT NULL,
	`taken` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	`sent_at` integer,
	`unsent_notified_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `extractions_by_account` ON `extractions` (`account_id`,`at`);--> statement-breakpoint
CREATE TABLE `stock_alerts` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`threshold` integer NOT NULL,
	`notified` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `stock_counts` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`, `state`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `stock_pauses` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`refused` integer NOT NULL,
	`paused_at` integer,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `console_links` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`telegram_id` integer NOT NULL,
	`made_at` integer NOT NULL,
	`used_at` integer,
	`browser` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `console_links_by_person` ON `console_links` (`telegram_id`);--> statement-breakpoint
CREATE INDEX `console_links_by_age` ON `console_links` (`made_at`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` blob NOT NULL,
	`telegram_id` integer NOT NULL,
	`browser` text NOT NULL,
	`entered_at` integer NOT NULL,
	`seen_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_by_token` ON `console_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_sessions_by_person` ON `console_sessions` (`telegram_id`);--> statement-breakpoint
CREATE INDEX `console_sessions_by_age` ON `console_sessions` (`entered_at`);--> statement-breakpoint
CREATE TABLE `import_pieces` (
	`import_id` integer NOT NULL,
	`piece_key` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`text_secret` blob NOT NULL,
	`lines_secret` blob,
	PRIMARY KEY(`import_id`, `piece_key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`actor` text NOT NULL,
	`denomination` integer,
	`state` text NOT NULL,
	`batch_id` integer,
	`at` integer NOT NULL,
	`answers` text,
	`shown_in` integer,
	`supplier` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "imports_state" CHECK(state = 'collecting' or state = 'committing' or state = 'committed' or state = 'cancelled')
) STRICT;
--> statement-breakpoint
CREATE INDEX `imports_by_actor` ON `imports` (`account_id`,`actor`);--> statement-breakpoint
CREATE INDEX `imports_collecting` ON `imports` (`at`) WHERE state = 'collecting';--> statement-breakpoint
CREATE INDEX `imports_committing` ON `imports` (`id`) WHERE state = 'committing';--> statement-breakpoint
CREATE TABLE `pasted_messages` (
	`batch_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`added` integer NOT NULL,
	PRIMARY KEY(`batch_id`, `message_id`),
	FOREIGN KEY (`batch_id`) REFERENCES `batches`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `job_slices` (
	`job_id` integer NOT NULL,
	`position` integer NOT NULL,
	`denomination` integer NOT NULL,
	`content_secret` blob NOT NULL,
	`added` integer,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`actor` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`cursor` text,
	`problem` text,
	`at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "jobs_kind" CHECK(kind = 'add' or kind = 'undo' or kind = 'extract'),
	CONSTRAINT "jobs_state" CHECK(state = 'running' or state = 'done' or state = 'set_aside' or state = 'cancelled'),
	CONSTRAINT "jobs_ended" CHECK((state = 'running') = (ended_at is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_by_subject` ON `jobs` (`kind`,`subject_id`);--> statement-breakpoint
CREATE INDEX `jobs_running` ON `jobs` (`id`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `jobs_by_age` ON `jobs` (`ended_at`);--> statement-breakpoint
CREATE INDEX `jobs_set_aside` ON `jobs` (`account_id`) WHERE state = 'set_aside';--> statement-breakpoint
CREATE TABLE `order_items` (
	`order_id` integer NOT NULL,
	`n` integer NOT NULL,
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer,
	`code_secret` blob,
	`state` text NOT NULL,
	`promised` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`replaced` integer DEFAULT 0 NOT NULL,
	`redemption_id` integer,
	PRIMARY KEY(`order_id`, `n`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`redemption_id`) REFERENCES `redemptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_items_state" CHECK(state = 'waiting' or state = 'open' or state = 'redeemed' or state = 'failed' or state = 'missing'),
	CONSTRAINT "order_items_what" CHECK((denomination is null) = (code_secret is not null)),
	CONSTRAINT "order_items_promised" CHECK(promised in (-1, 0, 1, 2) and (promised = 0 or (state = 'waiting' and denomination is not null))),
	CONSTRAINT "order_items_begun" CHECK((tries = 0) = (redemption_id is null) and (state <> 'open' or tries > 0) and sent <= tries)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `order_items_by_redemption` ON `order_items` (`redemption_id`) WHERE redemption_id is not null;--> statement-breakpoint
CREATE INDEX `order_items_promised` ON `order_items` (`account_id`,`game_id`,`denomination`,`order_id`,`n`) WHERE promised > 0;--> statement-breakpoint
CREATE INDEX `order_items_wanting` ON `order_items` (`account_id`,`game_id`,`denomination`,`order_id`,`n`) WHERE promised = 0 and state = 'waiting' and denomination is not null;--> statement-breakpoint
CREATE TABLE `orders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`account_id` integer NOT NULL,
	`actor` text NOT NULL,
	`game_id` text NOT NULL,
	`player_id` text NOT NULL,
	`player_name` text,
	`reference` text,
	`on_shortage` text NOT NULL,
	`on_bad_code` text NOT NULL,
	`state` text NOT NULL,
	`waits_for` text,
	`waits_since` integer,
	`ending` text,
	`reason` text,
	`deadline` integer,
	`run` integer DEFAULT 1 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`replaced` integer DEFAULT 0 NOT NULL,
	`replaced_by` text,
	`items` integer DEFAULT 0 NOT NULL,
	`key_secret` blob,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_state" CHECK(state = 'unclaimed' or state = 'running' or state = 'waiting' or state = 'done' or state = 'stopped' or state = 'cancelled'),
	CONSTRAINT "orders_claimed" CHECK(player_id <> '' or state in ('unclaimed', 'cancelled')),
	CONSTRAINT "orders_unclaimed" CHECK(state <> 'unclaimed' or player_id = ''),
	CONSTRAINT "orders_waits" CHECK((state = 'waiting') = (waits_for is not null)),
	CONSTRAINT "orders_ended" CHECK((state in ('done', 'stopped', 'cancelled')) = (ended_at is not null)),
	CONSTRAINT "orders_reason" CHECK((state = 'stopped') = (reason is not null)),
	CONSTRAINT "orders_over" CHECK(ended_at is null or ending is null)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_by_name` ON `orders` (`name`);--> statement-breakpoint
CREATE INDEX `orders_by_account` ON `orders` (`account_id`,`created_at`) WHERE player_id <> '';--> statement-breakpoint
CREATE INDEX `orders_by_player` ON `orders` (`player_id`);--> statement-breakpoint
CREATE INDEX `orders_by_state` ON `orders` (`account_id`,`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_by_reference` ON `orders` (`account_id`,`reference`,`created_at`) WHERE reference is not null;--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`id`) WHERE ended_at is null;--> statement-breakpoint
CREATE TABLE `claims` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`account_id` integer NOT NULL,
	`order_id` integer NOT NULL,
	`token_hash` blob NOT NULL,
	`issue_hash` blob NOT NULL,
	`n` integer NOT NULL,
	`state` text NOT NULL,
	`trouble` text,
	`reference` text,
	`language` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`looks` integer DEFAULT 0 NOT NULL,
	`misses` integer DEFAULT 0 NOT NULL,
	`looked_at` text DEFAULT '[]' NOT NULL,
	`player_id` text,
	`player_name` text,
	`browser_hash` blob,
	`confirmed_at` integer,
	`undecided` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "claims_state" CHECK(state = 'open' or state = 'confirmed' or state = 'settled' or state = 'stuck' or state = 'revoked' or state = 'expired'),
	CONSTRAINT "claims_trouble" CHECK((state = 'stuck') = (trouble is not null)),
	CONSTRAINT "claims_player" CHECK(player_id is null or (state in ('open', 'stuck') and confirmed_at is null)),
	CONSTRAINT "claims_confirmed" CHECK(state not in ('confirmed', 'settled') or confirmed_at is not null),
	CONSTRAINT "claims_unconfirmed" CHECK(state not in ('open', 'revoked', 'expired') or confirmed_at is null)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `claims_by_name` ON `claims` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_by_token` ON `claims` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_by_issue` ON `claims` (`account_id`,`issue_hash`,`n`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_by_order` ON `claims` (`order_id`);--> statement-breakpoint
CREATE INDEX `claims_by_account` ON `claims` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `claims_first` ON `claims` (`account_id`,`id`) WHERE n = 1;--> statement-breakpoint
CREATE INDEX `claims_by_state` ON `claims` (`account_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `claims_by_reference` ON `claims` (`account_id`,`reference`,`id`) WHERE reference is not null;--> statement-breakpoint
CREATE INDEX `claims_by_player` ON `claims` (`player_id`) WHERE player_id is not null;--> statement-breakpoint
CREATE INDEX `claims_by_end` ON `claims` (`expires_at`) WHERE confirmed_at is null and state in ('open', 'stuck');--> statement-breakpoint
CREATE TABLE `stock_promises` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`count` integer NOT NULL,
	`patient` integer NOT NULL,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`),
	CONSTRAINT "stock_promises_count" CHECK(patient >= 0 and count >= patient)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`account_id` integer NOT NULL,
	`key_hash` blob NOT NULL,
	`request_hash` blob NOT NULL,
	`redemption_id` integer,
	`extraction_id` integer,
	`batch_id` integer,
	`order_id` integer,
	`tries` integer DEFAULT 1 NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `key_hash`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`at`) WHERE (redemption_id is not null or order_id is not null);--> statement-breakpoint
CREATE INDEX `idempotency_keys_of_work_by_age` ON `idempotency_keys` (`at`) WHERE redemption_id is null and order_id is null;--> statement-breakpoint
CREATE TABLE `redemptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`actor` text NOT NULL,
	`game_id` text NOT NULL,
	`player_id` text NOT NULL,
	`mode` text NOT NULL,
	`denomination` integer,
	`code_id` integer,
	`code_hash` blob,
	`code_secret` blob,
	`code_head_hash` blob,
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
	`usage_id` integer,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`took_ms` integer DEFAULT 0 NOT NULL,
	`doubted_at` integer,
	`looks` integer DEFAULT 0 NOT NULL,
	`looks_told` text,
	`live` integer,
	`idempotency_key_secret` blob,
	`first_id` integer,
	FOREIGN KEY (`code_id`) REFERENCES `codes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`usage_id`) REFERENCES `usages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`first_id`) REFERENCES `redemptions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "redemptions_state" CHECK(state = 'pending' or state = 'in_doubt' or state = 'redeemed' or state = 'failed'),
	CONSTRAINT "redemptions_mode" CHECK(mode = 'database' or mode = 'direct'),
	CONSTRAINT "redemptions_settled" CHECK((state in ('redeemed', 'failed')) = (settled_at is not null)),
	CONSTRAINT "redemptions_error" CHECK((state <> 'failed') or (error_code is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `redemptions_by_hash` ON `redemptions` (`code_hash`) WHERE live is not null;--> statement-breakpoint
CREATE INDEX `redemptions_by_account` ON `redemptions` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `redemptions_by_player` ON `redemptions` (`account_id`,`player_id`);--> statement-breakpoint
CREATE INDEX `redemptions_by_head` ON `redemptions` (`account_id`,`code_head_hash`);--> statement-breakpoint
CREATE INDEX `redemptions_by_tail` ON `redemptions` (`account_id`,`code_tail_hash`);--> statement-breakpoint
CREATE INDEX `redemptions_pending` ON `redemptions` (`created_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `redemptions_in_doubt` ON `redemptions` (`id`) WHERE state = 'in_doubt';--> statement-breakpoint
CREATE INDEX `redemptions_with_credentials` ON `redemptions` (`settled_at`) WHERE credentials_secret is not null;--> statement-breakpoint
CREATE INDEX `redemptions_tried` ON `redemptions` (`game_id`,`code_hash`) WHERE (doubted_at is not null or live is null);--> statement-breakpoint
CREATE INDEX `redemptions_waiting` ON `redemptions` (`first_id`) WHERE first_id is not null and error_code = 'UNKNOWN';--> statement-breakpoint
CREATE INDEX `redemptions_lost` ON `redemptions` (`account_id`) WHERE actor = 'lost';--> statement-breakpoint
CREATE TABLE `sweeps` (
	`account_id` integer NOT NULL,
	`game_id` text NOT NULL,
	`denomination` integer NOT NULL,
	`needed` integer NOT NULL,
	`unspent` integer DEFAULT 0 NOT NULL,
	`after_returns` integer DEFAULT -1 NOT NULL,
	`after_id` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`account_id`, `game_id`, `denomination`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task` text NOT NULL,
	`payload_secret` blob NOT NULL,
	`queue_key` text NOT NULL,
	`job_key` text,
	`priority` integer DEFAULT 0 NOT NULL,
	`waits_for` text,
	`run_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`locked_at` integer,
	`crashes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`queued_at` integer NOT NULL,
	`done_at` integer,
	`dead_at` integer,
	`last_error` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_by_key` ON `tasks` (`job_key`);--> statement-breakpoint
CREATE INDEX `tasks_waiting` ON `tasks` (`queue_key`,`priority`,`queued_at`,`id`) WHERE run_at is not null;--> statement-breakpoint
CREATE INDEX `tasks_by_task` ON `tasks` (`task`,`queued_at`) WHERE run_at is not null;--> statement-breakpoint
CREATE INDEX `tasks_by_what_they_wait_for` ON `tasks` (`waits_for`) WHERE waits_for is not null;--> statement-breakpoint
CREATE INDEX `tasks_locked` ON `tasks` (`id`) WHERE locked_at is not null;--> statement-breakpoint
CREATE INDEX `tasks_by_age` ON `tasks` (`queued_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`pending_since` integer NOT NULL,
	`last_at` integer,
	`status` integer,
	`problem` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`message_id`) REFERENCES `webhook_messages`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_state" CHECK(state = 'waiting' or state = 'delivered' or state = 'failed'),
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
CREATE TRIGGER `codes_added` AFTER INSERT ON `codes` WHEN (new.`owned` is null) <> (new.`state` in ('extracted', 'undone'))
BEGIN
	UPDATE `codes` SET `owned` = CASE WHEN new.`state` in ('extracted', 'undone') THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `codes_counted` AFTER UPDATE OF `state` ON `codes` WHEN old.`state` <> new.`state`
BEGIN
	UPDATE `stock_counts` SET `count` = `count` - 1
		WHERE `account_id` = old.`account_id` AND `game_id` = old.`game_id` AND `denomination` = old.`denomination` AND `state` = old.`state`;
	INSERT INTO `stock_counts` (`account_id`, `game_id`, `denomination`, `state`, `count`)
		VALUES (new.`account_id`, new.`game_id`, new.`denomination`, new.`state`, 1)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `codes_departed` AFTER UPDATE OF `state` ON `codes`
WHEN (old.`state` in ('extracted', 'undone')) <> (new.`state` in ('extracted', 'undone'))
BEGIN
	UPDATE `codes` SET `owned` = CASE WHEN new.`state` in ('extracted', 'undone') THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_added` AFTER INSERT ON `redemptions` WHEN (new.`live` is null) <> (new.`state` = 'failed')
BEGIN
	UPDATE `redemptions` SET `live` = CASE WHEN new.`state` = 'failed' THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_ended` AFTER UPDATE OF `state` ON `redemptions` WHEN (old.`state` = 'failed') <> (new.`state` = 'failed')
BEGIN
	UPDATE `redemptions` SET `live` = CASE WHEN new.`state` = 'failed' THEN null ELSE 1 END WHERE `id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_kept` BEFORE DELETE ON `audit_log`
WHEN old.`at` > (SELECT `at` FROM `audit_log` WHERE `id` = (SELECT max(`id`) FROM `audit_log`)) - 34560000000
BEGIN
	SELECT raise(ABORT, 'The audit log is kept for 400 days.');
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_stands` BEFORE UPDATE ON `audit_log`
BEGIN
	SELECT raise(ABORT, 'The audit log is only added to.');
END;--> statement-breakpoint
CREATE TRIGGER `attempts_begun` BEFORE INSERT ON `attempts`
WHEN new.`n` <> 1 OR new.`kind` <> 'order' OR new.`state` <> 'open'
	OR EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id`)
	OR NOT EXISTS (SELECT 1 FROM `redemptions` WHERE `id` = new.`redemption_id` AND `state` in ('pending', 'in_doubt'))
BEGIN
	SELECT raise(ABORT, 'An attempt belongs to an open redemption.')
		WHERE NOT EXISTS (SELECT 1 FROM `redemptions` WHERE `id` = new.`redemption_id` AND `state` in ('pending', 'in_doubt'));
	SELECT raise(ABORT, 'Attempts are numbered from 1 on, without a gap.')
		WHERE new.`n` <> (SELECT coalesce(max(`n`), 0) + 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id`);
	SELECT raise(ABORT, 'An attempt begins open, or is recovered as spent.')
		WHERE new.`state` <> 'open' AND (new.`state` <> 'spent' OR new.`proof` <> 'lookup');
	SELECT raise(ABORT, 'An order is sent when every earlier one is proven not to have spent the code, and to an upstream that had none.')
		WHERE new.`kind` = 'order' AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id`
			AND (`state` <> 'not_spent' OR (`kind` = 'order' AND `upstream` = new.`upstream`)));
	SELECT raise(ABORT, 'What is sent once more is unknown, and the time is over in which it may still be carried out.')
		WHERE new.`kind` = 'resend' AND NOT EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id`
			AND `state` = 'unknown' AND `quiet_until` <= new.`begun_at`);
END;--> statement-breakpoint
CREATE TRIGGER `attempts_go_forward` BEFORE UPDATE OF `state`, `proof`, `ended_at`, `resolved_at` ON `attempts`
WHEN old.`state` <> 'open' AND (new.`ended_at` is not old.`ended_at`
	OR (old.`state` = 'unknown' AND new.`state` = 'open')
	OR (old.`state` <> 'unknown'
		AND (new.`state` <> old.`state` OR new.`proof` is not old.`proof` OR new.`resolved_at` is not old.`resolved_at`)))
BEGIN
	SELECT raise(ABORT, 'What became of an attempt is written once.');
END;--> statement-breakpoint
CREATE TRIGGER `attempts_sent` BEFORE UPDATE OF `redemption_id`, `n`, `upstream`, `candidates`, `kind`, `reference`, `begun_at` ON `attempts`
WHEN new.`redemption_id` <> old.`redemption_id` OR new.`n` <> old.`n` OR new.`upstream` <> old.`upstream` OR new.`kind` <> old.`kind` OR new.`candidates` is not old.`candidates`
	OR new.`reference` <> old.`reference` OR new.`begun_at` <> old.`begun_at`
BEGIN
	SELECT raise(ABORT, 'What was sent stands.');
END;--> statement-breakpoint
CREATE TRIGGER `attempts_stand` BEFORE DELETE ON `attempts`
BEGIN
	SELECT raise(ABORT, 'No attempt is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_sent` BEFORE UPDATE OF `code_id`, `code_hash`, `game_id`, `player_id` ON `redemptions`
WHEN (new.`code_id` is not old.`code_id` OR new.`game_id` <> old.`game_id` OR new.`player_id` <> old.`player_id`
		OR (new.`code_hash` is not old.`code_hash` AND new.`code_id` is null AND new.`code_secret` is old.`code_secret`))
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = old.`id`)
BEGIN
	SELECT raise(ABORT, 'A code that was sent stays with its redemption and its player.')
		WHERE new.`code_id` is not old.`code_id` OR new.`game_id` <> old.`game_id`
			OR (new.`code_hash` is not old.`code_hash` AND new.`code_id` is null AND new.`code_secret` is old.`code_secret`)
			OR (old.`actor` <> 'lost'
				AND (old.`state` not in ('redeemed', 'failed') OR old.`player_id` GLOB 'forgotten-*'
					OR new.`player_id` NOT GLOB 'forgotten-[a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p][a-p]'
					OR coalesce(new.`openid`, new.`player_name`, new.`region`, new.`credentials_secret`) is not null));
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_proven` AFTER UPDATE OF `state` ON `redemptions`
WHEN (new.`state` = 'redeemed' AND NOT EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`id` AND `state` = 'spent'))
	OR (new.`state` = 'failed' AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`id` AND `state` <> 'not_spent'))
BEGIN
	SELECT raise(ABORT, 'A redemption is redeemed by a spent attempt, and failed when none is, or may be.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_unsent` AFTER INSERT ON `redemptions` WHEN new.`state` = 'redeemed'
BEGIN
	SELECT raise(ABORT, 'A redemption is redeemed by a spent attempt.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_promised_at_once` AFTER INSERT ON `order_items` WHEN new.`promised` > 0
BEGIN
	INSERT INTO `stock_promises` (`account_id`, `game_id`, `denomination`, `count`, `patient`)
		VALUES (new.`account_id`, new.`game_id`, new.`denomination`, 1, new.`promised` = 2)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1, `patient` = `patient` + excluded.`patient`;
END;--> statement-breakpoint
CREATE TRIGGER `order_items_promises_counted` AFTER UPDATE OF `promised` ON `order_items`
WHEN old.`promised` <> new.`promised` AND (old.`promised` > 0 OR new.`promised` > 0)
BEGIN
	UPDATE `stock_promises` SET `count` = `count` - 1, `patient` = `patient` - (old.`promised` = 2)
		WHERE old.`promised` > 0 AND `account_id` = old.`account_id` AND `game_id` = old.`game_id` AND `denomination` = old.`denomination`;
	INSERT INTO `stock_promises` (`account_id`, `game_id`, `denomination`, `count`, `patient`)
		SELECT new.`account_id`, new.`game_id`, new.`denomination`, 1, new.`promised` = 2 WHERE new.`promised` > 0
		ON CONFLICT DO UPDATE SET `count` = `count` + 1, `patient` = `patient` + excluded.`patient`;
END;--> statement-breakpoint
CREATE TRIGGER `promises_fall` AFTER UPDATE OF `count` ON `stock_counts`
WHEN new.`state` = 'available' AND new.`count` < old.`count` AND new.`count` < coalesce((SELECT p.`count` FROM `stock_promises` p
	WHERE p.`account_id` = new.`account_id` AND p.`game_id` = new.`game_id` AND p.`denomination` = new.`denomination`), 0)
BEGIN
	UPDATE `order_items` SET `promised` = 0 WHERE (`order_id`, `n`) IN (SELECT i.`order_id`, i.`n` FROM `order_items` i
		WHERE i.`promised` > 0 AND i.`account_id` = new.`account_id` AND i.`game_id` = new.`game_id` AND i.`denomination` = new.`denomination`
		ORDER BY i.`order_id` DESC, i.`n` DESC LIMIT (SELECT p.`count` FROM `stock_promises` p
			WHERE p.`account_id` = new.`account_id` AND p.`game_id` = new.`game_id` AND p.`denomination` = new.`denomination`) - new.`count`);
END;--> statement-breakpoint
CREATE TRIGGER `promises_paused` AFTER UPDATE OF `paused_at` ON `stock_pauses` WHEN old.`paused_at` IS NULL AND new.`paused_at` IS NOT NULL
BEGIN
	UPDATE `order_items` SET `promised` = 0 WHERE `promised` > 0
		AND `account_id` = new.`account_id` AND `game_id` = new.`game_id` AND `denomination` = new.`denomination`;
END;--> statement-breakpoint
CREATE TRIGGER `orders_end_closed` BEFORE UPDATE OF `ended_at` ON `orders` WHEN new.`ended_at` IS NOT NULL
	AND EXISTS (SELECT 1 FROM `order_items` i LEFT JOIN `redemptions` r ON r.`id` = i.`redemption_id`
		WHERE i.`order_id` = new.`id` AND (i.`state` in ('waiting', 'open') OR r.`state` in ('pending', 'in_doubt')))
BEGIN
	SELECT raise(ABORT, 'An order ends when nothing of it is open.');
END;--> statement-breakpoint
CREATE TRIGGER `console_ends_with_role` AFTER UPDATE OF `role`, `account_id` ON `members`
WHEN new.`role` <> old.`role` OR new.`account_id` <> old.`account_id`
BEGIN
	DELETE FROM `console_sessions` WHERE `telegram_id` = old.`telegram_id`;
	DELETE FROM `console_links` WHERE `telegram_id` = old.`telegram_id`;
END;--> statement-breakpoint
CREATE TRIGGER `console_ends_with_membership` AFTER DELETE ON `members`
BEGIN
	DELETE FROM `console_sessions` WHERE `telegram_id` = old.`telegram_id`;
	DELETE FROM `console_links` WHERE `telegram_id` = old.`telegram_id`;
END;--> statement-breakpoint
-- What OR REPLACE takes away no trigger of DELETE hears of: here nothing is put in the place of another row, whoever writes.
CREATE TRIGGER `attempts_alone` BEFORE INSERT ON `attempts` WHEN new.`kind` = 'resend'
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id` AND `state` = new.`state`)
BEGIN
	SELECT raise(ABORT, 'Of the attempts of a redemption one is open, and one has spent the code.');
END;--> statement-breakpoint
CREATE TRIGGER `attempts_spent_once` BEFORE UPDATE ON `attempts` WHEN new.`state` = 'spent' AND old.`state` <> 'spent'
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = new.`redemption_id` AND `state` = 'spent')
BEGIN
	SELECT raise(ABORT, 'Of the attempts of a redemption one is open, and one has spent the code.');
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_added` BEFORE INSERT ON `audit_log` WHEN new.`id` <> -1 AND new.`id` <= (SELECT max(`id`) FROM `audit_log`)
BEGIN
	SELECT raise(ABORT, 'The audit log is only added to.');
END;--> statement-breakpoint
CREATE TRIGGER `audit_log_numbered` AFTER INSERT ON `audit_log` WHEN new.`id` < 1
BEGIN
	SELECT raise(ABORT, 'The audit log is only added to.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_new` BEFORE INSERT ON `redemptions`
WHEN EXISTS (SELECT 1 FROM `redemptions` WHERE `id` = new.`id`)
	OR ((new.`live` is not null OR new.`state` <> 'failed')
		AND EXISTS (SELECT 1 FROM `redemptions` WHERE `code_hash` = new.`code_hash` AND `live` is not null))
BEGIN
	SELECT raise(ABORT, 'A redemption takes the place of no other, and a code has one that has not failed.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_alone` BEFORE UPDATE ON `redemptions`
WHEN (old.`live` is null OR new.`code_hash` is not old.`code_hash`) AND (new.`live` is not null OR new.`state` <> 'failed')
	AND EXISTS (SELECT 1 FROM `redemptions` WHERE `code_hash` = new.`code_hash` AND `live` is not null AND `id` <> old.`id`)
BEGIN
	SELECT raise(ABORT, 'A redemption takes the place of no other, and a code has one that has not failed.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_stay` BEFORE UPDATE ON `redemptions`
WHEN new.`id` <> old.`id` OR ((new.`mode` <> old.`mode` OR new.`account_id` <> old.`account_id` OR new.`denomination` is not old.`denomination`
		OR (new.`player_id` <> old.`player_id` AND old.`state` in ('pending', 'in_doubt')))
	AND EXISTS (SELECT 1 FROM `attempts` WHERE `redemption_id` = old.`id`))
BEGIN
	SELECT raise(ABORT, 'A code that was sent stays with its redemption and its player.');
END;--> statement-breakpoint
CREATE TRIGGER `redemptions_stand` BEFORE DELETE ON `redemptions`
BEGIN
	SELECT raise(ABORT, 'No redemption is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_new` BEFORE INSERT ON `orders` WHEN EXISTS (SELECT 1 FROM `orders` WHERE `id` = new.`id` OR `name` = new.`name`)
BEGIN
	SELECT raise(ABORT, 'An order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_stay` BEFORE UPDATE ON `orders` WHEN new.`id` <> old.`id` OR new.`name` <> old.`name`
	OR (old.`player_id` <> '' AND (new.`player_id` = '' OR new.`state` = 'unclaimed'))
BEGIN
	SELECT raise(ABORT, 'An order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `orders_stand` BEFORE DELETE ON `orders`
BEGIN
	SELECT raise(ABORT, 'No order is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_new` BEFORE INSERT ON `order_items`
WHEN EXISTS (SELECT 1 FROM `order_items` WHERE `rowid` = new.`rowid`)
	OR EXISTS (SELECT 1 FROM `order_items` WHERE `order_id` = new.`order_id` AND `n` = new.`n`)
	OR EXISTS (SELECT 1 FROM `order_items` WHERE `redemption_id` = new.`redemption_id`)
BEGIN
	SELECT raise(ABORT, 'A code of an order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_stay` BEFORE UPDATE ON `order_items`
WHEN new.`rowid` <> old.`rowid` OR new.`order_id` <> old.`order_id` OR new.`n` <> old.`n`
	OR (new.`redemption_id` is not old.`redemption_id` AND EXISTS (SELECT 1 FROM `order_items` WHERE `redemption_id` = new.`redemption_id`))
BEGIN
	SELECT raise(ABORT, 'A code of an order takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_stand` BEFORE DELETE ON `order_items`
BEGIN
	SELECT raise(ABORT, 'No code of an order is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `order_items_counted` AFTER INSERT ON `order_items`
BEGIN
	UPDATE `orders` SET `items` = `items` + 1 WHERE `id` = new.`order_id`;
END;--> statement-breakpoint
CREATE TRIGGER `claims_new` BEFORE INSERT ON `claims`
WHEN EXISTS (SELECT 1 FROM `claims` WHERE `id` = new.`id` OR `name` = new.`name` OR `token_hash` = new.`token_hash` OR `order_id` = new.`order_id`)
	OR EXISTS (SELECT 1 FROM `claims` WHERE `account_id` = new.`account_id` AND `issue_hash` = new.`issue_hash` AND `n` = new.`n`)
BEGIN
	SELECT raise(ABORT, 'A claim takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `claims_stay` BEFORE UPDATE ON `claims`
WHEN new.`id` <> old.`id` OR new.`name` <> old.`name` OR new.`token_hash` <> old.`token_hash` OR new.`account_id` <> old.`account_id`
	OR new.`issue_hash` <> old.`issue_hash` OR new.`n` <> old.`n`
	OR (new.`order_id` <> old.`order_id` AND EXISTS (SELECT 1 FROM `claims` WHERE `order_id` = new.`order_id`))
	OR (new.`state` <> old.`state` AND old.`state` in ('revoked', 'expired'))
BEGIN
	SELECT raise(ABORT, 'A claim takes the place of no other, and one that was revoked or is over opens nothing.');
END;--> statement-breakpoint
CREATE TRIGGER `claims_stand` BEFORE DELETE ON `claims`
BEGIN
	SELECT raise(ABORT, 'No claim is deleted.');
END;--> statement-breakpoint
CREATE TRIGGER `claims_open_one` BEFORE UPDATE OF `order_id` ON `claims` WHEN new.`order_id` <> old.`order_id`
	AND EXISTS (SELECT 1 FROM `orders` o JOIN `order_items` i ON i.`order_id` = o.`id`
		WHERE o.`id` = old.`order_id` AND (o.`ended_at` IS NULL OR i.`state` = 'redeemed'))
BEGIN
	SELECT raise(ABORT, 'A claim is opened again once its order has ended with nothing redeemed.');
END;--> statement-breakpoint
CREATE TRIGGER `promises_paused_at_once` AFTER INSERT ON `stock_pauses` WHEN new.`paused_at` IS NOT NULL
BEGIN
	UPDATE `order_items` SET `promised` = 0 WHERE `promised` > 0
		AND `account_id` = new.`account_id` AND `game_id` = new.`game_id` AND `denomination` = new.`denomination`;
END;--> statement-breakpoint
CREATE TRIGGER `members_new` BEFORE INSERT ON `members`
WHEN EXISTS (SELECT 1 FROM `members` WHERE `telegram_id` = new.`telegram_id`)
	OR (new.`role` = 'owner' AND EXISTS (SELECT 1 FROM `members` WHERE `account_id` = new.`account_id` AND `role` = 'owner'))
BEGIN
	SELECT raise(ABORT, 'A member takes the place of no other.');
END;--> statement-breakpoint
CREATE TRIGGER `members_stay` BEFORE UPDATE ON `members`
WHEN new.`telegram_id` <> old.`telegram_id` OR (new.`role` = 'owner' AND EXISTS (SELECT 1 FROM `members`
	WHERE `account_id` = new.`account_id` AND `role` = 'owner' AND `telegram_id` <> old.`telegram_id`))
BEGIN
	SELECT raise(ABORT, 'A member takes the place of no other.');
END;
