// The state of the page, and who listens to it.
export class Store<S extends object> {
  private listeners: { keys: (keyof S)[] | null; call: () => void }[] = [];

  constructor(private state: S) {}

  get(): Readonly<S> {
    return this.state;
  }

  set(changes: Partial<S>) {
    const changed = (Object.keys(changes) as (keyof S)[]).filter((key) => this.state[key] !== changes[key]);
    if (changed.length === 0) return;
    this.state = { ...this.state, ...changes };
    for (const { keys, call } of this.listeners) if (!keys || keys.some((key) => changed.includes(key))) call();
  }

  /** Calls back after a change of one of the keys (of any, without keys), until the function that it returns is called. */
  on(keys: (keyof S)[] | null, call: () => void): () => void {
    const listener = { keys, call };
    this.listeners.push(listener);
    return () => { this.listeners = this.listeners.filter((other) => other !== listener); };
  }
}
