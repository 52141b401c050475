-- New codes are kept under hashes of 16 bytes, with which the 32 bytes of older rows begin (src/store/engine/code-seals.ts): one
-- unique index knows both. A large file is left as it is, and only long ones are written there (src/store/engine/turnover.ts).
-- `codes_takeable` ends with the id of itself.
DROP INDEX `codes_by_hash`;--> statement-breakpoint
CREATE UNIQUE INDEX `codes_by_hash` ON `codes` (substr(`code_hash`, 1, 16)) WHERE owned is not null;--> statement-breakpoint
DROP INDEX `redemptions_by_hash`;--> statement-breakpoint
CREATE UNIQUE INDEX `redemptions_by_hash` ON `redemptions` (substr(`code_hash`, 1, 16)) WHERE live is not null;--> statement-breakpoint
DROP INDEX `codes_takeable`;--> statement-breakpoint
CREATE INDEX `codes_takeable` ON `codes` (`account_id`,`game_id`,`denomination`,`returns`) WHERE state in ('available', 'unverified');
