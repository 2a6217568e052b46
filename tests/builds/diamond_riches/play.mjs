/**
 * A Play of Diamond Riches, as the Procedures tell it: what it holds, what may come next, and what
 * each step does. Money is in pence. Where the Procedures can be read in more ways than one, this
 * build has taken one: see READINGS.
 *
 * A Play never makes anything up: each step is told what is revealed, and refuses what cannot be.
 */

import { Refusal, onlyFields, wholeNumber, yesOrNo } from "./requests.mjs";

export const GAME = "diamond-riches";
export const COLOURS = ["red", "blue", "pink", "green", "purple", "yellow"];
export const BONUS_GAMES = ["bonus", "super-bonus", "mega-bonus"];

const SPINS = 6;
const LADDER = 13; // segments
const BONUS_PIPS = 5;
const PRIZE_PIPS = 7;
const TILES = 20;
const PICKS = 5;
const ACTIVE_ICONS = [0, 2, 4]; // of Bonus, Super Bonus, Mega Bonus
const PRIZE_MULTIPLIERS = [1, 2, 3, 4, 5, 6, 10];
const TOP_LEVEL = 2;
const UPGRADED_AMOUNTS = [
  [600, 1200, 3000, 15000, 150000, 100000000],
  [800, 1600, 4000, 20000, 200000, 100000000],
];

const SIMPLE_ICONS = [
  "multi-fill", "mystery-fill", "double-spins", "upgrade-multiplier", "upgrade-prizes",
  "max-prizes", "activate-prize-game",
];
const FIRST_PIPS_ICON = 8; // worth 2 pips, then 3, then 4
const FIRST_DIAMONDS_ICON = 11; // red: 2 to 6 diamonds, then the next colour
const LAST_ICON = FIRST_DIAMONDS_ICON + 5 * COLOURS.length - 1;

export const READINGS = {
  "valuation": "at-end",
  "prize-game-start": "at-once",
  "prize-game-repeat": "once",
  "prize-meter-after": "stays-full",
  "prize-surplus": "dropped",
  "spent-award": "no-effect",
  "unlock-order": "bonus-super-mega-prize",
  "ladder-surplus": "dropped",
  "upgrade-at-max": "no-effect",
  "double-spins": "spins-left-only",
  "no-pair": "allowed",
  "two-pairs": "impossible",
};

/** What the player sees; the rest of a Play's state is the build's own. */
const SHOWN = [
  "spins_left", "extra_spins", "ladders", "level", "multiplier_upgraded", "multi_fill",
  "bonus_meters", "bonus_owed", "prize_meter", "playing", "picks_left", "icons", "prize_spins",
  "prize_pot", "prize_won", "ladders_paid", "paid",
];

export const EVENTS = [
  "spin", "open-bonus-game", "pick", "extra-diamonds", ...SIMPLE_ICONS, "prize-game-icons",
  "leave-bonus-game", "open-prize-game", "prize-spin", "finish",
];

/** The bonus that an icon stands for: its event, and how much of what it gives. */
export function bonusOf(icon) {
  if (icon < FIRST_PIPS_ICON) return { event: SIMPLE_ICONS[icon - 1] };
  if (icon < FIRST_DIAMONDS_ICON) {
    return { event: "prize-game-icons", pips: icon - FIRST_PIPS_ICON + 2 };
  }
  const place = icon - FIRST_DIAMONDS_ICON;
  const colour = COLOURS[Math.floor(place / 5)];
  return { event: "extra-diamonds", colour, diamonds: (place % 5) + 2 };
}

export class Play {
  /** Begin a Play; or, from a record of one, go on with it. */
  constructor(edition, outcome, record = null) {
    this.edition = edition;
    this.outcome = outcome;
    this.s = record ?? this.begin();
  }

  begin() {
    return {
      spins_left: SPINS,
      extra_spins: 0,
      ladders: each(COLOURS, 0),
      level: 0,
      multiplier_upgraded: false,
      multi_fill: each(this.edition.diamond_wheel.map((_, place) => String(place + 1)), 0),
      bonus_meters: each(BONUS_GAMES, 0),
      bonus_owed: each(BONUS_GAMES, 0),
      prize_meter: 0,
      prize_game_owed: false,
      playing: 0,
      picks_left: 0,
      icons: this.noIcons(),
      tiles_taken: [],
      prize_spins: 0,
      prize_pot: 0,
      prize_won: 0,
      ladders_paid: each(COLOURS, 0),
      paid: 0,
      over: false,
    };
  }

  /** All that has to be kept for the Play to go on after an interruption. */
  record() {
    return this.s;
  }

  /** What the screen shows. */
  shows() {
    return Object.fromEntries(SHOWN.map((field) => [field, this.s[field]]));
  }

  /** What was won, part by part. */
  won() {
    const { ladders_paid, prize_won } = this.s;
    const parts = Object.entries({ ...ladders_paid, "Prize Game": prize_won });
    return Object.fromEntries(parts.filter(([, amount]) => amount !== 0));
  }

  // ---- what may come next

  /** The one event that is due, or null once the Play is over. */
  due() {
    const { s } = this;
    if (s.over) return null;
    if (s.playing) return s.picks_left > 0 ? "pick" : this.bonusWon().event;
    if (s.prize_spins > 0) return "prize-spin";
    if (this.firstOwed() !== undefined) return "open-bonus-game";
    if (s.prize_game_owed) return "open-prize-game";
    if (s.spins_left + s.extra_spins > 0) return "spin";
    return "finish";
  }

  mayCome(event) {
    return event === this.due();
  }

  /** The Bonus Game owed that is played first. */
  firstOwed() {
    return BONUS_GAMES.find((game) => this.s.bonus_owed[game] > 0);
  }

  /** The bonus that the two identical icons win. */
  bonusWon() {
    const [icon] = pairsAmong(Object.values(this.s.icons));
    return icon === undefined ? { event: "leave-bonus-game" } : bonusOf(icon);
  }

  /** Take a step. Throws Refusal, and leaves the Play as it was, if it may not come. */
  take(event, reveal, choice) {
    if (!EVENTS.includes(event)) throw new Refusal(`there is no event '${event}' in ${GAME}`);
    if (!this.mayCome(event)) {
      const due = this.due();
      throw new Refusal(`${event} may not come here: ${due ? `${due} is due` : "the Play is over"}`);
    }
    onlyFields(choice, event === "pick" ? ["tile"] : [], "choice");
    this[methodOf(event)](reveal, choice);
  }

  // ---- the Main Game

  spin(reveal) {
    onlyFields(reveal, ["segment", "multiplier", "bonus_segment"], "reveal");
    const { edition } = this;
    const [least, most] = this.multipliers();
    const segment = wholeNumber(reveal, "segment", 0, edition.diamond_wheel.length - 1);
    const multiplier = wholeNumber(reveal, "multiplier", least, most);
    const section = wholeNumber(reveal, "bonus_segment", 0, edition.bonus_wheel.length - 1);

    this.useSpin();
    this.fill(byName(COLOURS, this.diamondsIn(segment).map((n) => this.collected(n, multiplier))));
    const icons = edition.bonus_wheel[section].map((n) => this.iconsCollected(n, multiplier));
    BONUS_GAMES.forEach((game, place) => this.addBonusPips(game, icons[place]));
    this.addPrizePips(icons[BONUS_GAMES.length]);
  }

  /** The multipliers on the wheel, least and most. */
  multipliers() {
    return this.s.multiplier_upgraded ? [2, 5] : [1, 5];
  }

  /** An extra spin is used first, and Spins Left stays as it is. */
  useSpin() {
    if (this.s.extra_spins > 0) this.s.extra_spins -= 1;
    else this.s.spins_left -= 1;
  }

  /** The diamonds in a section of the wheel: Multi-Fill adds to each colour that is in it. */
  diamondsIn(segment) {
    const more = this.s.multi_fill[String(segment + 1)];
    return this.edition.diamond_wheel[segment].map((n) => (n > 0 ? n + more : 0));
  }

  collected(diamonds, multiplier) {
    return diamonds * multiplier;
  }

  iconsCollected(icons, multiplier) {
    return icons * multiplier;
  }

  /** Diamonds fill their ladders; each Extra Spin Box reached or passed awards an extra spin. */
  fill(diamonds) {
    COLOURS.forEach((colour, place) => {
      const before = this.s.ladders[colour];
      const after = this.filled(before, diamonds[colour]);
      this.s.ladders[colour] = after;
      const box = this.edition.extra_spin_box[place];
      if (this.reachesBox(before, after, box)) this.s.extra_spins += 1;
    });
  }

  filled(segments, diamonds) {
    return Math.min(segments + diamonds, LADDER);
  }

  reachesBox(before, after, box) {
    return before < box && after >= box;
  }

  /** A full meter unlocks its game; what is over goes into the emptied meter. */
  addBonusPips(game, icons) {
    this.s.bonus_meters[game] += icons;
    while (this.s.bonus_meters[game] >= BONUS_PIPS) {
      this.s.bonus_meters[game] -= BONUS_PIPS;
      this.s.bonus_owed[game] += 1;
    }
  }

  /** The Prize Game Meter, once full, has unlocked the only Prize Game of the Play. */
  addPrizePips(pips) {
    const { s } = this;
    if (s.prize_meter === PRIZE_PIPS) return;
    s.prize_meter = Math.min(s.prize_meter + pips, PRIZE_PIPS);
    if (s.prize_meter === PRIZE_PIPS) s.prize_game_owed = true;
  }

  // ---- the Bonus Games

  openBonusGame(reveal) {
    onlyFields(reveal, ["icons"], "reveal");
    const game = this.firstOwed();
    const place = BONUS_GAMES.indexOf(game);
    const slots = activeSlots();
    onlyFields(reveal.icons, slots, "reveal.icons");
    const icons = slots.map((slot, i) => {
      const active = i < ACTIVE_ICONS[place];
      return wholeNumber(reveal.icons, slot, active ? 1 : 0, active ? LAST_ICON : 0);
    });
    this.refuseTwoPairs(icons);

    this.s.bonus_owed[game] -= 1;
    this.s.playing = place + 1;
    this.s.picks_left = PICKS;
    Object.assign(this.s.icons, byName(slots, icons));
    this.s.tiles_taken = [];
  }

  pick(reveal, choice) {
    onlyFields(reveal, ["icon"], "reveal");
    const { s } = this;
    const icon = wholeNumber(reveal, "icon", 1, LAST_ICON);
    const tile = wholeNumber(choice, "tile", 1, TILES);
    if (s.tiles_taken.includes(tile)) {
      throw new Refusal(`tile ${tile} is open already: take another of the ${TILES}`);
    }
    this.refuseTwoPairs([...Object.values(s.icons), icon]);

    s.icons[`pick-${PICKS - s.picks_left + 1}`] = icon;
    s.tiles_taken.push(tile);
    s.picks_left -= 1;
  }

  refuseTwoPairs(icons) {
    const pairs = pairsAmong(icons);
    if (pairs.length > 1) {
      throw new Refusal(`icons ${pairs.join(" and ")} are two pairs: a Bonus Game wins one bonus`);
    }
  }

  /** Back to the Main Game: the panel of the Bonus Game goes. */
  backToMain() {
    this.s.playing = 0;
    this.s.icons = this.noIcons();
    this.s.tiles_taken = [];
  }

  noIcons() {
    const picks = Array.from({ length: PICKS }, (_, i) => `pick-${i + 1}`);
    return each([...activeSlots(), ...picks], 0);
  }

  leaveBonusGame(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
  }

  extraDiamonds(reveal) {
    onlyFields(reveal, [], "reveal");
    const { colour, diamonds } = this.bonusWon();
    this.backToMain();
    this.fill({ ...each(COLOURS, 0), [colour]: diamonds });
  }

  multiFill(reveal) {
    onlyFields(reveal, ["segment"], "reveal");
    const last = this.edition.diamond_wheel.length - 1;
    const segment = wholeNumber(reveal, "segment", 0, last);
    this.backToMain();
    this.s.multi_fill[String(segment + 1)] += this.edition.multi_fill_adds;
  }

  mysteryFill(reveal) {
    onlyFields(reveal, ["diamonds"], "reveal");
    onlyFields(reveal.diamonds, COLOURS, "reveal.diamonds");
    const diamonds = COLOURS.map((colour) => wholeNumber(reveal.diamonds, colour, 0, 10));
    const all = sum(diamonds);
    if (all < 5 || all > 10) throw new Refusal(`a Mystery Fill is 5 to 10 diamonds, not ${all}`);
    this.backToMain();
    this.fill(byName(COLOURS, diamonds));
  }

  doubleSpins(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
    this.s.spins_left *= 2;
  }

  upgradeMultiplier(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
    this.s.multiplier_upgraded = true;
  }

  upgradePrizes(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
    this.s.level = Math.min(this.s.level + 1, TOP_LEVEL);
  }

  maxPrizes(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
    this.s.level = TOP_LEVEL;
  }

  prizeGameIcons(reveal) {
    onlyFields(reveal, [], "reveal");
    const { pips } = this.bonusWon();
    this.backToMain();
    this.addPrizePips(pips);
  }

  activatePrizeGame(reveal) {
    onlyFields(reveal, [], "reveal");
    this.backToMain();
    this.addPrizePips(PRIZE_PIPS - this.s.prize_meter);
  }

  // ---- the Prize Game

  openPrizeGame(reveal) {
    onlyFields(reveal, [], "reveal");
    this.s.prize_game_owed = false;
    this.s.prize_spins = 1;
    this.s.prize_pot = 0;
  }

  prizeSpin(reveal) {
    onlyFields(reveal, ["segment", "multiplier", "extra_spin"], "reveal");
    const { s } = this;
    const wheel = this.edition.prize_wheel;
    const amount = wheel[wholeNumber(reveal, "segment", 0, wheel.length - 1)];
    const multiplier = wholeNumber(reveal, "multiplier", 1, 10);
    if (!PRIZE_MULTIPLIERS.includes(multiplier)) {
      throw new Refusal(`no x${multiplier} is on the wheel: ${PRIZE_MULTIPLIERS.join(", ")} are`);
    }
    const extraSpin = yesOrNo(reveal, "extra_spin");

    s.prize_pot = this.potAfter(s.prize_pot, amount, multiplier);
    s.prize_spins -= 1;
    if (extraSpin) this.addPrizeSpin(multiplier);
    if (s.prize_spins === 0) this.leavePrizeGame();
  }

  potAfter(pot, amount, multiplier) {
    return pot + amount * multiplier;
  }

  /** One spin, whatever the multiplier. */
  addPrizeSpin() {
    this.s.prize_spins += 1;
  }

  leavePrizeGame() {
    this.s.prize_won = this.s.prize_pot;
    this.s.prize_pot = 0;
  }

  // ---- the end

  finish(reveal) {
    onlyFields(reveal, [], "reveal");
    const { s } = this;
    COLOURS.forEach((colour, place) => {
      s.ladders_paid[colour] = this.completed(colour) ? this.amounts()[place] : 0;
    });
    s.paid = sum(Object.values(s.ladders_paid)) + s.prize_won;
    s.over = true;
  }

  completed(colour) {
    return this.s.ladders[colour] === LADDER;
  }

  /** The amounts at the top of the ladders. */
  amounts() {
    return [this.edition.start_amounts, ...UPGRADED_AMOUNTS][this.s.level];
  }
}

/** The icons that stand there at least twice; 0 is no icon. */
function pairsAmong(icons) {
  const seen = [...new Set(icons)].filter((icon) => icon !== 0);
  return seen.filter((icon) => icons.filter((other) => other === icon).length > 1);
}

function activeSlots() {
  return ["active-1", "active-2", "active-3", "active-4"];
}

function methodOf(event) {
  return event.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function each(names, value) {
  return byName(names, names.map(() => value));
}

function byName(names, values) {
  return Object.fromEntries(names.map((name, place) => [name, values[place]]));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
