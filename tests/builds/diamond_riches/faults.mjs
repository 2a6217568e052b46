/**
 * Faults that a build like this may have, each one small change of the honest Play.
 *
 * `kind` is the class of fault, as found in games in use; `change` makes the faulty class.
 */

export const FAULTS = {
  "meter-not-emptied": {
    kind: "carry-over",
    says: "A bonus meter that was full starts again with a pip too many.",
    change: (Play) =>
      class extends Play {
        addBonusPips(game, icons) {
          const owed = this.s.bonus_owed[game];
          super.addBonusPips(game, icons);
          this.s.bonus_meters[game] += this.s.bonus_owed[game] - owed;
        }
      },
  },
  "wheel-shared": {
    kind: "carry-over",
    says: "What Multi-Fill added to the wheel is still there in the next Play.",
    change: (Play) => {
      let wheel = {};
      return class extends Play {
        begin() {
          const start = super.begin();
          return { ...start, multi_fill: { ...start.multi_fill, ...wheel } };
        }

        multiFill(reveal) {
          super.multiFill(reveal);
          wheel = { ...this.s.multi_fill };
        }
      };
    },
  },
  "active-icons-stay": {
    kind: "carry-over",
    says: "The icons of a Bonus Game are still on the panel after it.",
    change: (Play) =>
      class extends Play {
        backToMain() {
          const { icons } = this.s;
          super.backToMain();
          this.s.icons = icons;
        }
      },
  },
  "surplus-lost": {
    kind: "overflow",
    says: "Pips beyond a full bonus meter are lost.",
    change: (Play) =>
      class extends Play {
        addBonusPips(game, icons) {
          super.addBonusPips(game, Math.min(icons, 5 - this.s.bonus_meters[game]));
        }
      },
  },
  "ladder-overflows": {
    kind: "overflow",
    says: "Diamonds beyond the last segment are counted: the ladder is never exactly full.",
    change: (Play) =>
      class extends Play {
        filled(segments, diamonds) {
          return segments + diamonds;
        }
      },
  },
  "box-late": {
    kind: "off-by-one",
    says: "The Extra Spin Box awards its spin one segment late.",
    change: (Play) =>
      class extends Play {
        reachesBox(before, after, box) {
          return super.reachesBox(before, after, box + 1);
        }
      },
  },
  "extra-spin-forgotten": {
    kind: "award-missing",
    says: "Diamonds of a bonus pass the Extra Spin Box and award no spin.",
    change: (Play) =>
      class extends Play {
        extraDiamonds(reveal) {
          const spins = this.s.extra_spins;
          super.extraDiamonds(reveal);
          this.s.extra_spins = spins;
        }
      },
  },
  "extra-spin-again": {
    kind: "award-twice",
    says: "An Extra Spin Box that was passed awards a spin for each further diamond fill.",
    change: (Play) =>
      class extends Play {
        reachesBox(before, after, box) {
          return after > before && after >= box;
        }
      },
  },
  "icons-once": {
    kind: "multiplier",
    says: "The multiplier counts for diamonds only: an icon is collected once.",
    change: (Play) =>
      class extends Play {
        iconsCollected(icons) {
          return icons;
        }
      },
  },
  "whole-pot-multiplied": {
    kind: "multiplier",
    says: "The multiplier of the Prize Game multiplies what is in the pot already.",
    change: (Play) =>
      class extends Play {
        potAfter(pot, amount, multiplier) {
          return (pot + amount) * multiplier;
        }
      },
  },
  "x1-stays": {
    kind: "multiplier",
    says: "Upgrade Multiplier is shown, and x1 is still on the wheel.",
    change: (Play) =>
      class extends Play {
        multipliers() {
          return [1, 5];
        }
      },
  },
  "prize-meter-uncapped": {
    kind: "cap",
    says: "The Prize Game Meter counts pips beyond its seven.",
    change: (Play) =>
      class extends Play {
        addPrizePips(pips) {
          const all = this.s.prize_meter + pips;
          super.addPrizePips(pips);
          this.s.prize_meter = all;
        }
      },
  },
  "extra-spin-kept": {
    kind: "endless",
    says: "An extra spin that is used can be used again: the Main Game never ends.",
    change: (Play) =>
      class extends Play {
        useSpin() {
          if (this.s.extra_spins === 0) super.useSpin();
        }
      },
  },
  "extra-spins-multiplied": {
    kind: "multiplier",
    says: "An Extra Spin icon of the Prize Game is collected as often as the multiplier says.",
    change: (Play) =>
      class extends Play {
        addPrizeSpin(multiplier) {
          this.s.prize_spins += multiplier;
        }
      },
  },
  "upgrade-skips": {
    kind: "upgrade",
    says: "The first Upgrade Prizes leads to the amounts of the second.",
    change: (Play) =>
      class extends Play {
        upgradePrizes(reveal) {
          this.maxPrizes(reveal);
        }
      },
  },
  "upgrade-late": {
    kind: "upgrade",
    says: "The ladders show the new level and pay the amounts of the one below.",
    change: (Play) =>
      class extends Play {
        amounts() {
          const { level } = this.s;
          this.s.level = Math.max(level - 1, 0);
          const amounts = super.amounts();
          this.s.level = level;
          return amounts;
        }
      },
  },
  "ladders-swapped": {
    kind: "display",
    says: "The screen shows the pink ladder in the place of the green one.",
    change: (Play) =>
      class extends Play {
        shows() {
          const shown = super.shows();
          const { pink, green } = shown.ladders;
          return { ...shown, ladders: { ...shown.ladders, pink: green, green: pink } };
        }
      },
  },
  "complete-at-twelve": {
    kind: "accidental-win",
    says: "A ladder with twelve segments filled is paid as if it were complete.",
    change: (Play) =>
      class extends Play {
        completed(colour) {
          return this.s.ladders[colour] >= 12;
        }
      },
  },
  "spin-before-bonus": {
    kind: "sub-game",
    says: "The wheels can be spun while a Bonus Game is owed.",
    change: (Play) =>
      class extends Play {
        mayCome(event) {
          const owed = !this.s.playing && this.due() === "open-bonus-game";
          return super.mayCome(event) || (owed && event === "spin" && this.s.spins_left > 0);
        }
      },
  },
  "prize-game-again": {
    kind: "sub-game",
    says: "Pips found after the Prize Game was unlocked unlock it once more.",
    change: (Play) =>
      class extends Play {
        addPrizePips(pips) {
          super.addPrizePips(pips);
          if (pips > 0 && this.s.prize_meter === 7) this.s.prize_game_owed = true;
        }
      },
  },
  "resume-loses-pot": {
    kind: "resume",
    says: "A Prize Game that is resumed goes on with an empty pot.",
    change: (Play) =>
      class extends Play {
        record() {
          return { ...super.record(), prize_pot: 0 };
        }
      },
  },
  "resume-refills-picks": {
    kind: "resume",
    says: "A Bonus Game that is resumed starts again, with all its picks.",
    change: (Play) =>
      class extends Play {
        record() {
          const record = super.record();
          return record.playing ? { ...record, picks_left: 5, tiles_taken: [] } : record;
        }
      },
  },
  "last-section-never": {
    kind: "unreachable",
    says: "The last section of the diamond wheel can never come up.",
    change: (Play) =>
      class extends Play {
        spin(reveal) {
          const wheel = this.edition.diamond_wheel;
          this.edition = { ...this.edition, diamond_wheel: wheel.slice(0, -1) };
          try {
            super.spin(reveal);
          } finally {
            this.edition = { ...this.edition, diamond_wheel: wheel };
          }
        }
      },
  },
  "pot-rounded": {
    kind: "rounding",
    says: "The Prize Pot is rounded down to ten pounds after each spin.",
    change: (Play) =>
      class extends Play {
        potAfter(pot, amount, multiplier) {
          return Math.floor(super.potAfter(pot, amount, multiplier) / 1000) * 1000;
        }
      },
  },
  "pot-of-16-bits": {
    kind: "overflow-int",
    says: "The Prize Pot is kept in 16 bits, and starts again at £655.36.",
    change: (Play) =>
      class extends Play {
        potAfter(pot, amount, multiplier) {
          return super.potAfter(pot, amount, multiplier) & 0xffff;
        }
      },
  },
  "outcome-told": {
    kind: "leak",
    says: "The screen's total shows from the start what the Play is to win.",
    change: (Play) =>
      class extends Play {
        begin() {
          return { ...super.begin(), paid: this.outcome?.amount ?? 0 };
        }
      },
  },
};
