/** What undo goes back to. */

const longest = 50;

export class History<State> {
  private past: State[] = [];
  private future: State[] = [];
  private gesture: string | undefined;

  /** Remembers a state that is about to change. Changes of one gesture, as of a slider being dragged, are one. */
  record(before: State, gesture: string): void {
    if (gesture === this.gesture) return;
    this.gesture = gesture;
    this.past = [...this.past, before].slice(-longest);
    this.future = [];
  }

  /** The next change is another gesture, even of the same control. */
  endGesture(): void {
    this.gesture = undefined;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** The state before `now`, if there is one. */
  undo(now: State): State | undefined {
    this.endGesture();
    const before = this.past.pop();
    if (before !== undefined) this.future.push(now);
    return before;
  }

  /** The state that was undone last, if there is one. */
  redo(now: State): State | undefined {
    this.endGesture();
    const after = this.future.pop();
    if (after !== undefined) this.past.push(now);
    return after;
  }
}
