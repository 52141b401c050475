// The last buttons of this module, by the actions of their confirmations, and what they order.
export const ADD = 'add-codes';
export const UNDO = 'undo-batch';
export const DELETE = 'delete-pasted';
export const EXTRACT = 'extract';

/** What pressing Add adds: what the preview showed. */
export interface AddOrder {
  importId: number;
  revision: string;
  count: number;
}

/** `amounts`: those that there is a button for, of which one is taken out. */
export interface ExtractOffer {
  gameId: string;
  denomination: number;
  amounts: number[];
}

export interface UndoOrder {
  batchId: number;
  added: number;
}

/** `count`: how many there were when it was asked. */
export interface TryAgainOrder {
  gameId: string;
  denomination: number;
  count: number;
}

/** `undoId`: what else the result offers. */
export interface DeleteOrder {
  batchId: number;
  undoId: string;
}

/** The button that asks from whom the codes of an import were bought. */
export const askSupplier = (importId: number): string => `add:from:${importId}`;
