#!/usr/bin/env node
/**
 * A sample build of Diamond Riches, written from its Procedures and from nothing else.
 *
 *   node diamond-riches.mjs                answers JSON Lines on the standard input
 *   node diamond-riches.mjs --http PORT    answers POST requests; PORT 0 takes any that is free
 *   node diamond-riches.mjs --fault ID     does so with one fault in it
 *   node diamond-riches.mjs --faults       lists the faults there are, as JSON
 */

import { parseArgs } from "node:util";

import { Driver, serveHttp, serveLines } from "./diamond_riches/driver.mjs";
import { FAULTS } from "./diamond_riches/faults.mjs";
import { Play } from "./diamond_riches/play.mjs";

function refuse(message) {
  console.error(`diamond-riches: ${message}`);
  process.exit(2);
}

function argumentsGiven() {
  const options = {
    http: { type: "string" },
    fault: { type: "string" },
    faults: { type: "boolean" },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

function playClass(fault) {
  if (fault === undefined) return Play;
  if (!Object.hasOwn(FAULTS, fault)) {
    refuse(`there is no fault '${fault}': there are ${Object.keys(FAULTS).join(", ")}`);
  }
  return FAULTS[fault].change(Play);
}

const given = argumentsGiven();
if (given.faults) {
  const table = Object.entries(FAULTS).map(([id, { kind, says }]) => ({ id, class: kind, says }));
  console.log(JSON.stringify(table, null, 1));
} else {
  const driver = new Driver(playClass(given.fault));
  if (given.http === undefined) {
    await serveLines(driver, process.stdin, process.stdout);
  } else {
    const port = Number(given.http);
    if (!Number.isInteger(port) || port < 0 || port > 65535) refuse(`no port '${given.http}'`);
    serveHttp(driver, port, (at) => console.error(`listening on http://127.0.0.1:${at}`));
  }
}
