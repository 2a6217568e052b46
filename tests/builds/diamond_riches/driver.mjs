/**
 * Playproof's drive protocol, version 1: an object asks, a log event or {"error": …} answers.
 * One driver keeps all Plays of a process. After each answer a Play's record is written as text,
 * and a Play that is resumed goes on from that text alone.
 */

import { createServer } from "node:http";
import { createInterface } from "node:readline";

import { BONUS_GAMES, COLOURS, GAME, READINGS } from "./play.mjs";
import { Refusal, onlyFields, wholeNumber, wholeNumbers } from "./requests.mjs";

const REQUEST_LIMIT = 1_000_000; // bytes of one HTTP request

export class Driver {
  /** `Play` is the class of the Plays: the honest one, or one with a fault. */
  constructor(Play) {
    this.Play = Play;
    this.plays = new Map(); // Play Number -> {play, step, record}
  }

  /** Answer a request; never throws. */
  answer(request) {
    try {
      onlyFields(request, Object.keys(request ?? {}), "the request");
      switch (request.do) {
        case "start":
          return this.start(request);
        case "step":
          return this.step(request);
        case "resume":
          return this.resume(request);
        default:
          throw new Refusal(`'do' should be start, step or resume, not ${text(request.do)}`);
      }
    } catch (error) {
      if (error instanceof Refusal) return { error: error.message };
      return { error: `our own fault: ${error.stack}` };
    }
  }

  /** Answer a line of JSON with a line of JSON. */
  answerText(line) {
    let request;
    try {
      request = JSON.parse(line);
    } catch (error) {
      return JSON.stringify({ error: `a request should be JSON: ${error.message}` });
    }
    return JSON.stringify(this.answer(request));
  }

  start(request) {
    const { play: id, game = GAME, edition, readings = {}, outcome = null } = request;
    if (typeof id !== "string" || id === "") throw new Refusal("'play' should be a Play Number");
    if (game !== GAME) throw new Refusal(`this is a build of ${GAME}, not of ${text(game)}`);
    onlyFields(readings, Object.keys(READINGS), "readings");
    for (const [reading, choice] of Object.entries(readings)) {
      if (READINGS[reading] !== choice) {
        throw new Refusal(`this build does not play ${reading} = ${choice}: ${READINGS[reading]}`);
      }
    }
    const play = new this.Play(parametersOf(edition), outcome);
    this.keep(id, play, 0);
    return {
      ...{ play: id, step: 0, event: "start", format: "playproof-log", version: 1, game },
      edition: { name: edition.name, hash: edition.hash },
      readings: READINGS,
      outcome,
      shows: play.shows(),
    };
  }

  step(request) {
    const { play: id, step, event, reveal = {}, choice = {} } = request;
    const { play, step: taken } = this.kept(id);
    wholeNumber({ step }, "step", taken + 1, taken + 1);
    play.take(event, reveal, choice);
    this.keep(id, play, step);
    const answer = { play: id, step, event, reveal, choice };
    if (event === "finish") Object.assign(answer, { paid: play.s.paid, won: play.won() });
    return { ...answer, shows: play.shows() };
  }

  resume(request) {
    const { play: id, step } = request;
    const { play: before, step: taken, record } = this.kept(id);
    wholeNumber({ step }, "step", taken, taken);
    const play = new this.Play(before.edition, before.outcome, JSON.parse(record));
    this.keep(id, play, taken);
    return { play: id, step, event: "resume", shows: play.shows() };
  }

  kept(id) {
    if (!this.plays.has(id)) throw new Refusal(`Play ${text(id)} was not started here`);
    return this.plays.get(id);
  }

  keep(id, play, step) {
    this.plays.set(id, { play, step, record: JSON.stringify(play.record()) });
  }
}

/** Read an edition: {"parameters": {name: values, or {"value": values, …}}}. */
function parametersOf(edition) {
  const given = edition?.parameters;
  if (!given) throw new Refusal("'edition.parameters' should hold the edition's values");
  const values = Object.fromEntries(
    Object.entries(given).map(([name, entry]) => [name, entry?.value ?? entry]),
  );
  const { diamond_wheel, bonus_wheel } = values;
  const most = Number.MAX_SAFE_INTEGER;
  wholeNumbers(values, "start_amounts", COLOURS.length, 1, most);
  wholeNumbers(values, "extra_spin_box", COLOURS.length, 1, 13);
  wholeNumbers(values, "prize_wheel", null, 1, most);
  wholeNumber(values, "multi_fill_adds", 1, 3);
  rows(diamond_wheel, "diamond_wheel", COLOURS.length, 3);
  rows(bonus_wheel, "bonus_wheel", BONUS_GAMES.length + 1, 1);
  return values;
}

function rows(wheel, name, length, most) {
  if (!Array.isArray(wheel) || !wheel.length) throw new Refusal(`${name} should be a list of rows`);
  wheel.forEach((row, place) => {
    const where = `${name}.${place}`;
    wholeNumbers({ [where]: row }, where, length, 0, most);
  });
}

function text(value) {
  return JSON.stringify(value) ?? "nothing";
}

/** Answer each line of the input, until it ends. */
export async function serveLines(driver, input, output) {
  for await (const line of createInterface({ input })) {
    if (line.trim()) output.write(`${driver.answerText(line)}\n`);
  }
}

/** Answer each POST on this port of the machine itself; port 0: any that is free. */
export function serveHttp(driver, port, ready) {
  const server = createServer((request, response) => {
    const reply = (status, body) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(`${body}\n`);
    };
    if (request.method !== "POST") {
      reply(405, JSON.stringify({ error: "requests are sent by POST" }));
      return;
    }
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part) => {
      body += part;
      if (body.length > REQUEST_LIMIT) request.destroy();
    });
    request.on("end", () => reply(200, driver.answerText(body)));
  });
  server.listen(port, "127.0.0.1", () => ready(server.address().port));
  return server;
}
