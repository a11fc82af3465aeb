// What a table loads when it is first wanted: the panes, the question of a move, how it was answered, and the menu.
import { addSheet, byId, setting } from "./settings.js";

/** @typedef {import("./wording.js").View} View */
/** @typedef {import("./machine.js").Move} Move */
/** @typedef {import("./table.js").Entry} Entry */

/** how many of the last moves stand under a phone's board */
const LATEST = 12;

export class Later {
  /** @param {import("./table.js").Table} table @param {import("./board.js").QcBoard} board @param {URLSearchParams} secrets */
  constructor(table, board, secrets) {
    this.secrets = secrets;
    this.table = table;
    this.board = board;
    /** @type {Promise<unknown>|undefined} */
    this.looks = undefined;
    /** @type {import("./asking.js").Asking|undefined} */
    this.asking = undefined;
    /** @type {Move|undefined} */
    this.pointed = undefined;
    /** @type {import("./about.js").Menu|undefined} */
    this.menu = undefined;
    /** @type {import("./odds.js").Odds|undefined} */
    this.odds = undefined;
    /** @type {Entry|undefined} */
    this.entry = undefined;
    /** @type {import("./moment.js").Moment|undefined} */
    this.moment = undefined;
    this.hasAnswers = this.hasOffers = this.hasRun = false;
    /** @type {Promise<import("./movelist.js").MoveList[]>|undefined} */
    this.lists = undefined;
    /** @type {import("./marks.js").Marks|undefined} */
    this.marks = undefined;
    this.second = 0;
    board.addEventListener("qc-pick", () => this.wake());
  }

  /** From now on men move. */
  async wake() {
    (await import("./motion.js")).wake(this.table, this.board);
  }

  /** Asks whether one's king can be taken next, where one is to move and wants to be warned. */
  warn() {
    const { state } = this.table;
    this.board.danger = {};
    if (state?.you && state.you === state.player && !state.result && !state.pending && setting("danger", "yes") !== "no") this.table.send({ kind: "danger", ply: state.ply });
  }

  /** The style sheet of what comes later. */
  look() {
    this.looks ??= addSheet("panes");
    return this.looks;
  }

  /** Fills the pane that is in sight. @param {string} name @param {View|undefined} view */
  async open(name, view) {
    if (!name || name === "moves" || !view) return;
    const pane = byId(`pane-${name}`);
    try {
      await this.look();
      if (name === "legend") pane.replaceChildren((await import("./legend.js")).legendOf(view, this.table.state?.rules.name, this.board));
      else if (name === "odds") {
        const { Odds } = await import("./odds.js");
        this.odds ??= new Odds(pane, this.table);
        await this.odds.draw(view, this.table.state?.you ?? null);
      } else if (!pane.dataset.mounted) {
        pane.dataset.mounted = "yes";
        (await import("./circuit.js")).mountCircuit(pane, this.table);
      }
    } catch (error) {
      pane.textContent = `This part could not be loaded: ${error}`;
    }
  }

  /** A move is under the pointer: its question is shown if it asks one. @param {Move|undefined} move */
  async point(move) {
    this.pointed = move;
    if (setting("asks-first", "yes") === "no") return;
    if (!move || (!this.asking && !move.measures && (move.chances?.length ?? 0) < 2)) return;
    await this.look();
    const { Asking } = await import("./asking.js");
    this.asking ??= new Asking(byId("ask"), this.board, this.table);
    if (this.pointed === move) this.asking.point(move);
  }

  /** Whether a move was answered and this page shows that: it has the position before it, and the player wants to see it. @param {any} message */
  shows(message) {
    const { state, shown } = this.table;
    if (message.kind !== "moved" || !state || state.ply !== shown || message.ply !== shown + 1 || message.repeated) return false;
    return !document.hidden && setting("answers", "normal") !== "none" && (message.provenance ?? []).some((/** @type {any} */ answer) => answer.source !== "certain");
  }

  /** Shows how a move was answered. @param {any} message @param {(head: string, rest: string) => void} say */
  async play(message, say) {
    this.clear();
    try {
      const [{ Moment }] = await Promise.all([import("./moment.js"), this.look()]);
      this.moment ??= new Moment(this.table, this.board, say);
      this.moment.play(message);
      this.sound("question");
    } catch {
      this.table.go(); // the answer counts, whether or not it can be shown
    }
  }

  /** Nothing is asked about any more. */
  clear() {
    this.pointed = undefined;
    this.asking?.clear();
  }

  /** How the questions of a move were answered. @param {Entry|undefined} entry */
  async answers(entry) {
    this.entry = entry;
    if (!this.hasAnswers && !entry?.provenance?.length && !entry?.shots?.length) return;
    this.hasAnswers = true;
    const [{ drawShots }, { drawProvenance }] = await Promise.all([import("./shots.js"), import("./provenance.js"), this.look()]);
    drawShots(byId("shots"), this.entry);
    drawProvenance(byId("provenance"), this.entry);
  }

  /** Draws what was played, from the first move on. @param {(ply: number) => void} jump */
  async moves(jump) {
    const { table } = this, history = () => table.state?.history ?? [];
    if (!this.lists && !history().length) return;
    this.wake();
    this.lists ??= Promise.all([import("./movelist.js"), this.look()]).then(([{ MoveList }]) => ["moves", "latest"].map((id) => new MoveList(byId(id), jump, (ply, mark) => this.mark(ply, mark))));
    const [all, latest] = await this.lists;
    if (!table.state) return;
    all.draw(table.state, table.shown);
    latest.draw(table.state, table.shown, history().slice(-LATEST));
  }

  /** Opens what belongs to the answer of a move. @param {number} ply @param {HTMLElement} mark */
  async mark(ply, mark) {
    const { Marks } = await import("./marks.js");
    this.marks ??= new Marks(this.table);
    this.marks.toggle(ply, mark);
  }

  /** What is on offer, once anything was. */
  async offers() {
    const { state } = this.table;
    this.invite();
    if (state?.result && this.hasRun) import("./ending.js").then(({ showEnding }) => showEnding(this));
    this.hasRun = Boolean(state && !state.result);
    this.hasOffers ||= Boolean(state?.result || state?.offers?.draw || state?.offers?.takeback || state?.offers?.next || state?.offers?.rematch?.length);
    if (!this.hasOffers) return;
    await this.look();
    (await import("./offers.js")).drawOffers(this.table, byId("offers"));
  }

  /** A game among people: the links for who is not here, the own name, and the game is remembered. */
  async invite() {
    const { you, ply, seats = {} } = this.table.state ?? {};
    const people = Object.values(seats).filter(({ who }) => who === "human");
    if (!you || people.length < 2 || !(ply || `${this.secrets}`.includes("for-") || people.every(({ present }) => present))) return;
    await this.look();
    (await import("./inviting.js")).invite(byId("invite"), this.table, this.secrets);
  }

  /** The first position is known: from now on the strips show what was taken. @param {View} first */
  async takes(first) {
    const { taken } = await import("./taken.js");
    this.table.taken = (player) => (this.table.state ? taken(first, this.table.state.view, player) : "");
  }

  /** A move that is not played at once: to be confirmed, or chosen while the other side is to move. @param {"confirm"|"pick"} what @param {...any} given */
  async early(what, ...given) {
    await this.look();
    /** @type {Record<string, (...given: any[]) => void>} */ (await import("./premove.js"))[what](this, ...given);
  }

  get hasSounds() {
    return setting("sounds", "on") === "on";
  }

  /** Plays a sound, or that of a move, if they are on and the page was touched before. @param {import("./sounds.js").Kind|any} what */
  async sound(what) {
    if (!this.hasSounds || !navigator.userActivation?.hasBeenActive) return;
    const before = this.board.view;
    const { sound, soundOf } = await import("./sounds.js");
    sound(typeof what === "string" ? what : soundOf(what, before, what.view, this.table.state?.you));
  }

  /** Ticks each second while one's own clock has less than 20 s. */
  tick() {
    const { state } = this.table;
    const left = state?.you && state.clocks?.running === state.you ? Math.ceil(this.table.secondsOf(state.you) ?? 99) : 99;
    if (left < 20 && left && left !== this.second) this.sound("clock");
    this.second = left;
  }

  /** Opens the menu, or closes it. @param {boolean} [isOpen] */
  async about(isOpen) {
    if (isOpen === false) {
      this.menu?.show(false);
      return;
    }
    await this.look();
    const { Menu } = await import("./about.js");
    this.menu ??= new Menu(byId("menu"), byId("about"), this.table);
    if (this.table.state) this.menu.draw(this.table.state);
    this.menu.show(isOpen);
  }
}
