// The last buttons of this room, by the actions of their drafts, and what they order.
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

export interface UndoOrder {
  batchId: number;
  added: number;
}

/** `undoId`: what else the result offers. */
export interface DeleteOrder {
  batchId: number;
  undoId: string;
}
