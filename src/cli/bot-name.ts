// The name of the bot, as Telegram knows it by its token.
import type { BotConfig } from '../config.ts';

/** A command does not wait longer for anybody outside. */
export const ASKED_WITHIN_MS = 5_000;

/** Without a name: the status that Telegram answered with, or none where it cannot be reached. */
export async function askBotName({
  apiRoot,
  token,
}: BotConfig): Promise<{ username?: string; status?: number }> {
  const signal = AbortSignal.timeout(ASKED_WITHIN_MS);
  const response = await fetch(`${apiRoot}/bot${token}/getMe`, { signal }).catch(() => undefined);
  if (!response) return {};
  const answer = (await response.json().catch(() => undefined)) as
    { ok?: boolean; result?: { username?: string } } | undefined;
  if (answer?.ok === true) return { username: answer.result?.username ?? '' };
  return { status: response.status };
}
