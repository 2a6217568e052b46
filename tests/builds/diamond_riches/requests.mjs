/** Reading what a build is sent: each check says where, what was expected, and what is there. */

/** A request that the build cannot or may not follow. */
export class Refusal extends Error {}

/** Throw Refusal unless `given` is an object with these fields at most. */
export function onlyFields(given, fields, where) {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    throw new Refusal(`${where} should be an object, not ${JSON.stringify(given)}`);
  }
  for (const field of Object.keys(given)) {
    if (!fields.includes(field)) {
      const known = fields.length ? `only ${fields.join(", ")}` : "nothing";
      throw new Refusal(`${where}.${field} is unknown: ${known} is expected here`);
    }
  }
}

/** Return a whole number between two limits, both included. */
export function wholeNumber(given, field, low, high) {
  const value = given[field];
  if (!Number.isInteger(value) || value < low || value > high) {
    const expected = low === high ? low : `a whole number from ${low} to ${high}`;
    throw new Refusal(`${field} should be ${expected}, not ${JSON.stringify(value)}`);
  }
  return value;
}

export function yesOrNo(given, field) {
  if (typeof given[field] !== "boolean") {
    throw new Refusal(`${field} should be true or false, not ${JSON.stringify(given[field])}`);
  }
  return given[field];
}

/** Return a list of whole numbers; `length` null: of any length but none. */
export function wholeNumbers(given, field, length, low, high) {
  const value = given[field];
  if (!Array.isArray(value) || (length === null ? value.length === 0 : value.length !== length)) {
    throw new Refusal(`${field} should be a list of ${length ?? "some"} numbers`);
  }
  value.forEach((_, place) => wholeNumber(value, place, low, high));
  return value;
}
