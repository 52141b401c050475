// What a rule of conservation is, and which rows it goes over: all, or those that are newer than a proof.

/** The rows that rules go over, as SQL has them behind `from`: a table by its name, or a query in brackets. */
export type CheckedRows = Readonly<Record<'attempts' | 'codes' | 'redemptions' | 'usages', string>>;

export const ALL_ROWS: CheckedRows = {
  attempts: 'attempts',
  codes: 'codes',
  redemptions: 'redemptions',
  usages: 'usages',
};

export interface Rule {
  check: string;
  /** Selects nothing but ids, counts, states and times: what it finds is printed. */
  sql: string;
  /** It compares counts of everything: nothing can be said of the newer rows alone. */
  whole?: true;
}
