/** The element that every widget is: one routine in the frame that all of them share. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { version } from "shardlab";
import { Announcer } from "./announcer.js";
import { authored, type Author } from "./author.js";
import { AuthorsFile } from "./authors-file.js";
import { Behind } from "./behind.js";
import { keep } from "./chosen.js";
import type { ControlEvents } from "./controls.js";
import type { ShardlabEvents, ShardlabMembers } from "./element.js";
import { expression, type Express } from "./expression.js";
import { explain } from "./fault.js";
import { largestFile } from "./files.js";
import { figureStyles } from "./figures/styles.js";
import { captioned, controlled, figure, notices, summary, type Shown } from "./frame.js";
import type { Handled, Held } from "./hand.js";
import { shortcut, takesKey, type Keyed } from "./keys.js";
import { atHome } from "./home.js";
import { Language } from "./language.js";
import { sharedLab } from "./lab.js";
import { readOne, type Stated } from "./link.js";
import type { Way } from "./magnify.js";
import { Nearby } from "./nearby.js";
import { initialTexts, refused, textsFrom, type Parameter, type Texts } from "./parameter.js";
import { offered } from "./offers.js";
import { partMissing } from "./part.js";
import { address, linked, stated, tiles } from "./parts.js";
import { Player, type Played } from "./player.js";
import { Prediction } from "./prediction.js";
import type { Answer, Details, Routine, View } from "./routine.js";
import { Session } from "./session.js";
import { adopt, readopt } from "./sheets.js";
import { States } from "./states.js";
import controls from "./controls.css";
import paper from "./paper.css";
import tokens from "./tokens.css";
import { Surroundings } from "./surroundings.js";
import type { Owner, ToolBox } from "./tool-box.js";
import type { Export } from "./toolbar.js";
import { transport } from "./transport.js";
import { say, word, type Catalogue, type Told } from "./words.js";
import style from "./widget.css";

/** Widths are rounded down to this, so that a window being dragged does not redraw on every pixel. */
const widthStep = 10;
/** Controls that have room beside a figure. */
const mostBeside = 12;

/** What a page may use of it stands in element.ts; what else is public here is for the other parts of a widget. */
export abstract class Widget extends LitElement implements ShardlabMembers, ControlEvents, Played, Handled, Keyed, Owner {
  static readonly version = version;

  abstract readonly routine: Routine;

  private author!: Author;
  private session!: Session;
  private readonly player = new Player(this);
  private readonly states = new States(this);
  private readonly announcer = new Announcer(this);
  private readonly surroundings = new Surroundings(this);
  private readonly behind = new Behind(
    this,
    () => this.routine,
    (text) => this.withTools((tools) => tools.complain(text)),
  );
  private readonly prediction = new Prediction(
    this,
    () => this.routine,
    () => this.author.predict,
    (answer) => void this.onAnswer(answer),
  );
  private readonly file = new AuthorsFile({
    parameters: () => this.routine.parameters,
    shown: () => this.state,
    read: (then) => this.readAgain(then),
    tell: (told, before) => this.session.tell(told, before),
  });
  /** loaded beside the lab: the first picture does not wait for it */
  private toolBox: ToolBox | undefined;
  private fetching: Promise<ToolBox> | undefined;
  /** while a reader does something: of what a page's own script does, the page is not told */
  private isActing = false;
  private readonly language = new Language(this, () => this.expressAnew());
  express: Express = (run) => run();
  /** whether less used controls are shown */
  private unfolded = false;
  /** the step that is to be shown moving */
  private movingTo: number | undefined;
  /** what comes after the first picture */
  private completed: Promise<unknown> | undefined;
  private announceReady!: () => void;
  /** the first result, or the reason why there is none, is shown */
  private readonly isReady = new Promise<void>((resolve) => {
    this.announceReady = resolve;
  });
  /** it is near, or somebody waits for what it shows */
  private isWanted = false;
  private told: { step?: number; trouble?: string | undefined } = {};
  private resized: ResizeObserver | undefined;

  // Life

  constructor() {
    super();
    new Nearby(this, () => this.wake());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.session === undefined) this.begin();
    else this.session.compute();
    this.resized = new ResizeObserver(() => this.onResized());
    this.resized.observe(this);
    addEventListener("hashchange", this.readAddress);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized?.disconnect();
    removeEventListener("hashchange", this.readAddress);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    adopt(root as ShadowRoot, tokens, ...figureStyles(this.routine.styles ?? []), controls, style, paper);
    return root;
  }

  /** In another document, which wants style sheets of its own. */
  adoptedCallback(): void {
    readopt(this.renderRoot as ShadowRoot);
  }

  private begin(): void {
    const { routine } = this;
    this.session = new Session(routine, {
      lab: sharedLab,
      initial: () => this.author.texts,
      requestUpdate: () => this.requestUpdate(),
      changed: (names) => {
        if (this.isActing) this.tell({ changed: names });
      },
      settled: () => void this.onSettled(),
    });
    this.readAuthor();
    this.session.begin(this.author.notices);
    this.file.follow(this.getAttribute("src"));
    this.readAddress();
    if (this.isWanted) void this.wakeSession();
  }

  /** A link to a page of notes says what its reader is to see. */
  private readonly readAddress = (): void => {
    this.session.forgetLink();
    const text = atHome().read?.(this.routine);
    if (text === undefined) return;
    const notices: Told[] = [];
    this.restore(readOne(text, this.routine, notices), notices);
  };

  /** What its page's author wrote, now. */
  private readAuthor(): void {
    this.author = authored(this.routine, (attribute) => this.getAttribute(attribute), this.file.texts);
    this.prediction.prepare();
    this.player.speed = this.author.speed;
    this.player.still = this.author.still;
    this.expressAnew();
  }

  /** What is shown is put into words again: in another language, or in other units. */
  private expressAnew(): void {
    if (this.session === undefined) return;
    this.express = expression(this.language.catalogue, this.author.units);
    this.fit(this.session.width);
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (this.session === undefined || before === now) return;
    if (name === "src") this.file.follow(now);
    else this.readAgain();
  }

  /**
   * What its page's author has changed is shown; the rest stays as the reader has it.
   * @param then what was shown when it was asked for, where it took its time: what has been changed since stays, too
   */
  private readAgain(then = this.state): void {
    const { texts, notices } = this.author;
    this.readAuthor();
    const isNews = ([key, text]: [string, string]) => texts[key] !== text && this.state[key] === then[key];
    const changed = Object.entries(this.author.texts).filter(isNews);
    const known = notices.map((told) => told());
    const news = this.author.notices.filter((told) => !known.includes(told()));
    if (changed.length > 0) this.session.rewritten(Object.fromEntries(changed), news);
    else this.session.tell(news);
  }

  /** The figure's room changes with the element's width alone. While it is out of sight, this lays it out. */
  private onResized(): void {
    const room = this.renderRoot.querySelector(".figure")?.clientWidth;
    if (room === undefined) return;
    const width = Math.max(240, Math.floor(room / widthStep) * widthStep);
    if (width !== this.session.width) this.fit(width);
  }

  private fit(width: number, scale?: number): void {
    const { express } = this;
    this.session.fit({ width, express, ...(scale !== undefined && { scale }) });
  }

  /** What is opened below the figure is made here, too. */
  protected override update(changed: PropertyValues): void {
    this.express(() => super.update(changed));
  }

  override updated(): void {
    const { session } = this;
    const { result, fault, unavailable } = session;
    const isFaulty = fault !== undefined || unavailable !== undefined;
    this.states.show({ playing: this.player.playing, loading: result === undefined && !isFaulty, error: isFaulty });
    if (result === undefined) return;
    this.querySelector(":scope > .first")?.remove();
    this.completed ??= Promise.all([this.handOver(), this.tools().catch(() => undefined)]);
    if (session.isLate) this.announcer.sayProgress(this.express(() => session.progress!()));
    else if (!this.player.playing) this.announcer.say(this.express(() => this.sentence()));
    if (this.movingTo === undefined || this.position()?.at !== this.movingTo) return;
    this.movingTo = undefined;
    this.player.move(this.renderRoot.querySelector(".figure")!);
  }

  /** Nothing is computed before this: a page may have many widgets. */
  private wake(): void {
    this.isWanted = true;
    if (this.session !== undefined) void this.wakeSession();
  }

  /** What an author's file says is what is shown first, and a question comes before all numbers. */
  private async wakeSession(): Promise<void> {
    let waited: Promise<void> | undefined;
    while (this.file.loading !== waited) await (waited = this.file.loading);
    await this.prediction.loading;
    this.session.wake();
    // The lab is longer on its way than they are, and nothing waits for them.
    void this.tools().catch(() => undefined);
  }

  get ready(): Promise<void> {
    this.wake();
    return this.isReady;
  }

  /** An update is complete when the newest input is shown: who waits for it wants to have it, in sight or not. */
  protected override async getUpdateComplete(): Promise<boolean> {
    this.wake();
    await this.file.loading;
    await this.prediction.loading;
    await Promise.all([this.session?.running, this.language.loading, this.behind.loading, this.toolBox?.opening]);
    await super.getUpdateComplete();
    await this.completed;
    return super.getUpdateComplete();
  }

  private async onSettled(): Promise<void> {
    await this.updateComplete;
    const { result, fault, unavailable } = this.session;
    if (result !== undefined || unavailable !== undefined) this.tellReady();
    const trouble = unavailable ?? (fault && { code: "SHARDLAB-INPUT", message: fault.message, hint: () => word("The last valid input is shown.") });
    const told = trouble && this.express(() => ({ code: trouble.code, message: trouble.message(), hint: trouble.hint() }));
    if (told !== undefined && told.message !== this.told.trouble) this.emit("shardlab-error", told);
    this.told.trouble = told?.message;
    this.tellStep();
  }

  private tellReady(): void {
    if (this.announceReady === done) return;
    this.announceReady();
    this.announceReady = done;
    this.emit("shardlab-ready", { id: this.routine.id, version });
  }

  private tellStep(): void {
    const position = this.position();
    if (position === undefined || position.at === this.told.step) return;
    const isFirst = this.told.step === undefined;
    this.told.step = position.at;
    if (!isFirst) this.emit("shardlab-step", { i: position.at, n: position.count, caption: this.express(() => this.sentence()) });
  }

  private emit<Type extends keyof ShardlabEvents>(type: Type, detail: ShardlabEvents[Type]["detail"]): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  // State

  /** Set by a page, it is shown as it is and no event tells of it. */
  get state(): Texts {
    return this.session?.texts ?? {};
  }

  set state(texts: Texts | string) {
    const { routine } = this;
    const read = typeof texts === "string" ? readOne(texts, routine, []) : textsFrom(texts, routine.parameters);
    this.begun().place(read);
  }

  get value(): Texts {
    return this.state;
  }

  get strings(): Catalogue {
    return this.language.own ?? {};
  }

  set strings(own: Catalogue) {
    this.language.own = typeof own === "object" && own !== null ? own : undefined;
    this.expressAnew();
  }

  get results(): unknown {
    return this.prediction.isAsking ? undefined : this.session?.result;
  }

  /** The state with all that a link needs. */
  stated(): Stated {
    const { id, parameters } = this.routine;
    return { id, parameters, texts: this.state, initial: this.begun().initial() };
  }

  /** Shows a state that came from outside. What it holds that cannot be is replaced, and that is said. */
  restore(texts: Texts, told: readonly Told[] = []): void {
    this.prediction.pass();
    this.begun().restore(texts, told);
  }

  /** Its figure has it. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>(".figure")?.focus(options);
  }

  /** Tells the reader something that can be dismissed. */
  note(told: readonly Told[]): void {
    this.begun().tell(told);
  }

  /** Also where it is no part of a page yet. */
  private begun(): Session {
    if (this.session === undefined) this.begin();
    return this.session;
  }

  /** Of what a reader does, the page is told. */
  act(run: () => void): void {
    const before = this.isActing;
    this.isActing = true;
    try {
      run();
    } finally {
      this.isActing = before;
    }
  }

  set(parameter: Parameter, text: string): void {
    this.act(() => this.put(parameter, text));
  }

  private put(parameter: Parameter, text: string): void {
    if (this.author.locked.has(parameter.name)) return;
    const wrong = parameter.kind === "text" ? refused(parameter, text) : undefined;
    if (wrong !== undefined) this.session.refuse(parameter, explain(wrong, [parameter]).message);
    else this.change({ [parameter.name]: text }, parameter.name);
  }

  /** A gesture has ended. */
  done(): void {
    this.session.endGesture();
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  private change(texts: Texts, gesture: string): void {
    this.toolBox?.forget();
    this.session.change(texts, gesture);
  }

  private tell(detail: Pick<ShardlabEvents["shardlab-change"]["detail"], "changed" | "answer" | "right">): void {
    this.emit("shardlab-change", { state: this.state, source: "user", ...detail });
    this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  }

  undo(): void {
    this.player.pause();
    this.begun().undo();
  }

  redo(): void {
    this.player.pause();
    this.begun().redo();
  }

  reset(): void {
    this.player.pause();
    this.begun().reset();
  }

  async open(parameter: Parameter, file: File): Promise<void> {
    if (file.size > largestFile) {
      this.session.refuse(parameter, () => say`${file.name} is larger than 4 MiB; paste a part of it.`);
      return;
    }
    this.set(parameter, await file.text());
    this.done();
  }

  choose(parameter: Parameter, files: readonly File[]): void {
    this.set(parameter, keep(files));
    this.done();
  }

  // Steps

  play(): void {
    this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  next(): void {
    this.stepTo((this.position()?.at ?? 0) + 1);
  }

  prev(): void {
    this.stepTo((this.position()?.at ?? 0) - 1);
  }

  position(): { at: number; count: number } | undefined {
    return this.session?.position();
  }

  stepTo(step: number, playing = false): void {
    const parameter = this.routine.parameters.find(({ kind }) => kind === "step");
    const position = this.position();
    if (parameter === undefined || position === undefined) return;
    const to = Math.min(Math.max(Math.round(Number(step)) || 0, 0), position.count);
    this.movingTo = to === position.at + 1 ? to : undefined;
    if (!playing) this.session.endGesture();
    this.put(parameter, String(to));
  }

  // The part of the picture that is shown

  /** Movements to a side that follow each other are undone at once. */
  private magnify(way: Way): boolean {
    const texts = this.routine.magnifier!.to(this.state, way);
    if (texts === undefined) return false;
    const isMove = way === "back" || way === "on";
    this.act(() => this.change(texts, isMove ? "window" : "zoom"));
    if (!isMove) this.done();
    return true;
  }

  magnifyBy(key: string, target: Element): boolean {
    if (!target.matches(".figure") || this.session.view()?.magnified === undefined) return false;
    const way = this.routine.magnifier!.wayOf(key, target);
    return way !== undefined && this.magnify(way);
  }

  private magnifier(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.magnified === undefined) return nothing;
    const { bar, to } = this.routine.magnifier!;
    return bar(view.magnified, (way) => to(this.state, way) !== undefined, (way) => void this.magnify(way));
  }

  // A hand in the figure

  private async handOver(): Promise<void> {
    try {
      const attach = await this.routine.hand?.();
      attach?.(this.renderRoot.querySelector<HTMLElement>(".figure")!, this);
    } catch {
      // Whatever a hand could move has a control as well.
    }
  }

  picture(): Held | undefined {
    const { result, width } = this.session;
    return this.session.view()?.figure === undefined ? undefined : { result, width, express: this.express };
  }

  take(scale: number): void {
    this.player.pause();
    this.session.endGesture();
    this.fit(this.session.width, scale);
  }

  move(texts: Texts): void {
    if (this.differing(texts).length > 0 && this.mayChange(texts)) this.act(() => this.change(texts, "hand"));
  }

  /** The parameters that would change. */
  private differing(texts: Texts): string[] {
    return Object.keys(texts).filter((name) => this.state[name] !== texts[name]);
  }

  private mayChange(texts: Texts): boolean {
    return !this.differing(texts).some((name) => this.author.locked.has(name));
  }

  letGo(): void {
    this.fit(this.session.width);
    this.done();
  }

  // Showing

  override render(): TemplateResult {
    const view = this.session.view();
    const shown = this.shown(view);
    const { title, parameters } = this.routine;
    const has = (piece: string) => !this.author.hidden.has(piece);
    // Where nothing can be computed there is nothing to set.
    const side = has("controls") && this.session.unavailable === undefined;
    return html`
      <section
        class="widget ${this.surroundings.areDark ? "in-the-dark" : ""}"
        part="base"
        lang=${this.language.tag}
        aria-label=${word(title)}
        aria-busy=${this.session.slow ? "true" : "false"}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
        @input=${(event: Event) => event.stopPropagation()}
      >
        ${summary(shown)}
        <header>
          ${has("title") ? html`<h3 part="title" aria-level=${this.author.headingLevel}>${word(title)}</h3>` : nothing} ${has("claim") ? this.claim(view) : nothing}
        </header>
        ${notices(this.session, () => this.focus())}
        <div class="body ${parameters.length > mostBeside ? "many" : ""} ${side ? "" : "alone"}">
          <div class="stage">
            ${figure(shown)} ${this.magnifier(view)} ${captioned(shown, () => this.focus())} ${this.offers(view)} ${linked(view?.links)}
            ${stated(this.session.controlled(), this.state)} ${has("play") ? this.transport(view) : nothing}
            ${view === undefined || !has("readouts") ? nothing : tiles(view, shown.asking)}
          </div>
          ${side ? controlled(shown, this) : nothing}
          <div class="behind">
            ${view === undefined || shown.asking ? nothing : this.behind.disclosures(this.session.result, this.author.hidden, this.express)}
          </div>
        </div>
        <slot name="note"></slot>
        ${has("link") ? address(this.permalink()) : nothing}
        ${view === undefined || !has("toolbar") ? nothing : (this.toolBox?.bar(shown) ?? html`<div class="toolbar"></div>`)}
      </section>
    `;
  }

  private shown(view: View | undefined): Shown {
    const { routine, session, author, prediction } = this;
    return {
      routine,
      session,
      author,
      view,
      sentence: this.sentence(),
      heard: this.announcer.text,
      asking: prediction.isAsking,
      figureWaits: prediction.hidesFigure,
      unfolded: this.unfolded,
      unfold: (open) => {
        this.unfolded = open;
      },
    };
  }

  /** What is seen now. It would give the answer away, too. */
  private sentence(): string {
    if (this.prediction.isAsking) return word("The numbers wait for your answer.");
    return this.session.view()?.caption ?? (this.session.fault === undefined ? word("The lab is starting.") : "");
  }

  private claim(view: View | undefined): TemplateResult | typeof nothing {
    if (this.prediction.isAsking) return this.prediction.ask();
    return html`${this.prediction.verdict()}<p class="claim" part="claim">${view?.claim ?? word(this.routine.claim)}</p>`;
  }

  private async onAnswer(answer: Answer | null): Promise<void> {
    this.requestUpdate();
    if (answer !== null) this.tell({ changed: [], answer: answer.label, right: answer.right === true });
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".verdict, .figure")?.focus();
  }

  private transport(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.steps === undefined || view.steps.count === 0) return nothing;
    return transport(view.steps, this.player, {
      go: (step) => this.act(() => this.stepTo(step, true)),
      done: () => this.done(),
    });
  }

  private offers(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.offers === undefined || this.prediction.isAsking) return nothing;
    const { items, actions, ...others } = view.offers;
    const can = ({ texts }: { texts: Texts }) => this.mayChange(texts);
    return offered({ ...others, items: items.filter(can), actions: actions.filter(can) }, (texts) => void this.apply(texts));
  }

  /** What a button sets is one change; the button itself may be gone then. */
  private async apply(texts: Texts): Promise<void> {
    this.player.pause();
    this.session.endGesture();
    this.act(() => this.change(texts, "button"));
    this.done();
    await this.updateComplete;
    this.focus();
  }

  // Tools

  private tools(): Promise<ToolBox> {
    this.fetching ??= this.fetchTools();
    return this.fetching;
  }

  private async fetchTools(): Promise<ToolBox> {
    try {
      const { ToolBox } = await import("./tool-box.js");
      this.toolBox = new ToolBox(this);
      this.requestUpdate();
      return this.toolBox;
    } catch (error) {
      // The next who wants them asks the server again.
      this.fetching = undefined;
      throw error;
    }
  }

  /** At once where they are there; who wants them earlier waits for them. */
  private withTools(use: (tools: ToolBox) => void): void {
    const failed = () => this.note([partMissing]);
    if (this.toolBox !== undefined) use(this.toolBox);
    else void this.tools().then(use, failed);
  }

  get titleLevel(): number {
    return this.author.headingLevel;
  }

  details(): Promise<Details> {
    return this.behind.of();
  }

  permalink(): string {
    return atHome().link(this.stated(), initialTexts(this.routine.parameters));
  }

  async toSVG(): Promise<string> {
    return (await this.shownNow()).svg();
  }

  async toPNG(scale?: number): Promise<Blob> {
    return (await this.shownNow()).png(scale);
  }

  async toCSV(): Promise<string> {
    return (await this.shownNow()).csv();
  }

  async toJSON(): Promise<string> {
    return (await this.shownNow()).json();
  }

  /** What takes away what the newest input has come to. */
  private async shownNow(): Promise<ToolBox> {
    await this.updateComplete;
    return this.tools();
  }

  exported(what: Export): void {
    this.emit("shardlab-export", { what });
  }

  // Keys

  /** Keys work where the focus is within, and never in place of what a control does with them. */
  private onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as Element;
    let isDone = false;
    this.act(() => {
      isDone = shortcut(event, target, this);
    });
    if (isDone) event.preventDefault();
    // Pages have keys of their own, and do not see what within a widget has the focus.
    if (isDone || takesKey(target, event)) event.stopPropagation();
  }

  get can(): Keyed["can"] {
    const { canUndo: undo, canRedo: redo } = this.session;
    return { undo, redo };
  }

  togglePlay(): void {
    this.player.toggle();
  }

  toggleKeys(): void {
    this.withTools((tools) => tools.toggleKeys());
  }
}

function done(): void {
  // It has been announced.
}
