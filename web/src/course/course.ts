/** The page of the course: the lab's success criteria, each marked from the student's own inputs, and a sheet of them. */

import { render } from "lit";
import { define } from "../define.js";
import { besideTheLab, here, settle } from "../home.js";
import { noticeBox, PageAddress, type Addressed } from "../page-address.js";
import { tensorParallelCost } from "../routines/tensor-parallel-cost.js";
import { download } from "../save.js";
import { Widget } from "../widget.js";
import { criteria } from "./criteria/index.js";
import { fileText, largestFile, stateIn } from "./file.js";
import { Questions } from "./questions.js";
import { Person, sheet, type Said, type SheetEvents } from "./sheet.js";
import { store, stored } from "./storage.js";

settle(besideTheLab);
const routines = [...new Set([...criteria.map(({ routine }) => routine), tensorParallelCost])];
for (const routine of routines) define(routine);

class Course implements SheetEvents {
  private readonly place = document.querySelector<HTMLElement>("#sheet .sheet")!;
  private readonly person = new Person();
  private readonly questions = criteria.map((criterion) => {
    const place = document.querySelector<HTMLElement>(`[data-criterion="${criterion.id}"]`)!;
    return new Questions(place, criterion, (checked) => this.follow(checked));
  });
  private readonly widgets = [...document.querySelectorAll("main *")].filter((element): element is Widget => element instanceof Widget);
  private readonly owner: Addressed = {
    stated: () => this.person.stated(),
    restore: (texts) => {
      this.person.restore(texts);
      this.draw();
    },
    scrollIntoView: () => this.place.scrollIntoView(),
  };
  private readonly parts: readonly Addressed[] = [...this.questions, this.owner, ...this.widgets];
  private readonly address: PageAddress;
  private said: Said = { text: "" };

  constructor() {
    this.place.replaceChildren();
    this.draw();
    const notice = noticeBox();
    const isKept = this.remember();
    this.address = new PageAddress({
      schemas: this.parts.map((part) => part.stated()),
      parts: () => this.parts,
      notice,
      written: () => store(this.address.fragment()),
    });
    if (isKept) notice([() => "These are the answers that this browser has kept."]);
    for (const one of this.questions) {
      one.widget()?.addEventListener("shardlab-change", ({ detail: { answer } }) => {
        if (answer !== undefined) one.predict(answer);
      });
    }
  }

  /** Puts what this browser has kept into the address, unless that says something else. */
  private remember(): boolean {
    const kept = stored();
    const place = location.hash.slice(1);
    if (kept === "" || place.includes("=")) return false;
    history.replaceState(history.state, "", `#${place === "" ? "" : `${place}&`}${kept}`);
    return true;
  }

  private follow(checked: boolean): void {
    if (checked) this.person.set("date", today());
    this.draw();
    this.address.writeSoon();
  }

  private draw(): void {
    render(sheet(this.questions.map(({ work }) => work), this.person, this, this.said), this.place);
  }

  private say(said: Said): void {
    this.said = said;
    this.draw();
  }

  // The sheet's controls

  set(name: "name" | "date", text: string): void {
    this.person.set(name, text);
    this.follow(false);
  }

  print(): void {
    print();
  }

  save(): void {
    const text = fileText(this.questions.map(({ work }) => work), this.person, this.address.fragment());
    download("shardlab-progress.json", text, "application/json");
  }

  async open(file: File): Promise<void> {
    try {
      if (file.size > largestFile) throw new Error("That file is larger than any of this page.");
      const state = stateIn(await file.text());
      this.clear();
      this.address.show(state);
      this.say({ text: `${file.name} is opened, and its answers are marked anew.` });
    } catch (error) {
      this.say({ text: (error as Error).message });
    }
  }

  async copyLink(): Promise<void> {
    const link = `${here()}#${this.address.fragment("sheet")}`;
    try {
      await navigator.clipboard.writeText(link);
      this.say({ text: "The link is copied. It holds all answers, and the name." });
    } catch {
      this.say({ text: "The link, to be copied:", copy: link });
    }
  }

  /** The widgets ask their questions once more. */
  startAgain(): void {
    if (!confirm("Empty the sheet, and all answers with it?")) return;
    this.clear();
    this.address.write();
    location.reload();
  }

  private clear(): void {
    for (const part of this.parts) part.restore({});
  }
}

function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

new Course();
