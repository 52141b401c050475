// How a notice of each kind begins, in both languages: by its beginning it is told from answers.

export const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  stockLow: /^📉/u,
  doubtSettled: /^ℹ️/u,
  quotaUsed: /^(?:⏳ (?:Использовано )?80|⛔)/u,
  stockPaused: /^⏸/u,
  codeTakenBack: /^↩️/u,
  subscriptionEnds: /^📅/u,
  webhookAdded: /^🔗/u,
  extractionUnsent: /^📭/u,
};

/** It may come before what was asked for. */
export const isNotice = (text: string): boolean =>
  Object.values(BEGINNINGS).some((beginning) => beginning.test(text));
