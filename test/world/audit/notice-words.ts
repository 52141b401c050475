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
