/** A criterion on the page: its form, and the widget in which its task is done. */

import { render } from "lit";
import { serialiseOne, type Stated } from "../link.js";
import { sharedLab } from "../lab.js";
import type { Addressed } from "../page-address.js";
import type { Texts } from "../parameter.js";
import { Widget } from "../widget.js";
import { ordered, type Criterion, type Order, type Statement } from "./criterion.js";
import { form, type FormEvents } from "./form.js";
import { standing } from "./sheet.js";
import { Work } from "./work.js";

export class Questions implements Addressed, FormEvents {
  readonly work: Work;
  private said = "";

  /** @param changed something of it has; `checked` says that it was marked */
  constructor(
    private readonly place: HTMLElement,
    criterion: Criterion,
    private readonly changed: (checked: boolean) => void,
  ) {
    this.work = new Work(criterion, sharedLab);
    place.replaceChildren();
    this.draw();
  }

  stated(): Stated {
    return this.work.stated();
  }

  restore(texts: Texts): void {
    const restored = this.work.restore(texts);
    this.said = "";
    this.draw();
    // A prediction that was made is not asked for again.
    if (this.work.predicted !== "") this.widget()?.restore(this.widget()!.state);
    void restored.then(() => this.update(false));
  }

  scrollIntoView(): void {
    this.place.scrollIntoView();
  }

  widget(): Widget | undefined {
    const found = document.querySelector(`main shardlab-${this.work.criterion.routine.id}`);
    return found instanceof Widget ? found : undefined;
  }

  /** The widget's question has been answered. */
  predict(answer: string): void {
    if (this.work.criterion.predicts === undefined) return;
    this.work.predict(answer);
    this.update(false);
  }

  answer(part: string, text: string): void {
    this.work.answer(part, text);
    this.said = "";
    this.update(false);
  }

  /** The focus stays with the statement that moves, on a button that it can still press. */
  move(part: Order, statement: Statement, by: 1 | -1): void {
    const names = ordered(part, this.work.texts[part.id]!).map(({ id }) => id);
    const from = names.indexOf(statement.id);
    names.splice(from, 1);
    names.splice(from + by, 0, statement.id);
    this.work.answer(part.id, names.join(","));
    this.said = `${statement.short}: now at place ${from + by + 1} of ${names.length}.`;
    this.update(false);
    const [same, other] = [by, -by].map((way) => this.place.querySelector<HTMLButtonElement>(`[data-statement="${statement.id}"] [data-move="${way}"]`));
    (same!.disabled ? other! : same!).focus();
  }

  handIn(part: string): void {
    const widget = this.widget();
    if (widget?.results === undefined) {
      this.said = "The widget shows nothing yet: its question comes first.";
      this.draw();
      return;
    }
    this.work.answer(part, serialiseOne(widget.stated()));
    this.said = "The widget's setting is handed in.";
    this.update(false);
  }

  check(): void {
    void this.work.check().then(() => {
      const { fault } = this.work;
      this.said = fault?.message() ?? "";
      this.update(fault === undefined);
    });
  }

  private update(checked: boolean): void {
    this.draw();
    this.changed(checked);
  }

  private draw(): void {
    const said = this.said === "" && this.work.attempts > 0 ? standing(this.work) : this.said;
    render(form(this.work, this, said), this.place);
  }
}
