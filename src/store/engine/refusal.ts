// How the store says that it does not start.

/** A reason not to start that the host can act on; the message is the whole sentence. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
}
