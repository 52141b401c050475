// What is true of codes, under all stand-ins: which is spent, for whom, and by which order at which of them. Nothing is
// ever taken back.

export interface Spend {
  code: string;
  playerId: string;
  at: number;
  /** undefined: somebody redeemed it elsewhere, without us. */
  by: { service: string; reference: string } | undefined;
}

export interface Truth {
  find(code: string): Spend | undefined;
  /** False where it was spent already. */
  spend(spend: Spend): boolean;
  /** A stand-in said of this code that an order of ours did not spend it, and it did or will. */
  noteLie(code: string): void;
  wasLiedAbout(code: string): boolean;
  /** How often orders with this code reached a stand-in. */
  countSent(code: string): number;
  noteSent(code: string): void;
}

export function createTruth(): Truth {
  const spends = new Map<string, Spend>();
  const lies = new Set<string>();
  const sent = new Map<string, number>();
  return {
    find: (code) => spends.get(code),
    spend(spend) {
      if (spends.has(spend.code)) return false;
      spends.set(spend.code, spend);
      return true;
    },
    noteLie: (code) => void lies.add(code),
    wasLiedAbout: (code) => lies.has(code),
    countSent: (code) => sent.get(code) ?? 0,
    noteSent: (code) => void sent.set(code, (sent.get(code) ?? 0) + 1),
  };
}
