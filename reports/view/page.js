"use strict";
(() => {
  const steps = [...document.querySelectorAll("article")];
  const links = [...document.querySelectorAll("nav ol a")];
  const where = document.querySelector(".where");
  const buttons = new Map(
    [...document.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
  let at = -1;

  const nameOf = (step) => step.querySelector("h2").textContent.replace(/^\d+\. /, "");

  const numbered = () => {
    const found = steps.findIndex((step) => `#${step.id}` === location.hash);
    return found < 0 ? 0 : found;
  };

  links.forEach((link, n) => {
    const name = document.createElement("span");
    name.className = "vh";
    name.textContent = ` ${nameOf(steps[n])}`;
    link.append(name);
  });

  const says = new Map(steps.filter((step) => step.querySelector(".says"))
    .map((step) => [nameOf(step), step.querySelector(".says")]));

  /* What a field means is written where it comes first: of a rule's reveal, or of the state. */
  const meanings = new Map([...document.querySelectorAll("th small")].map(
    (one) => [`${one.dataset.of ?? ""}/${one.previousSibling.data}`, one]));

  /* What is as it was is written once, at an earlier step: put it in. */
  const fill = (step) => {
    const rule = nameOf(step);
    if (!step.querySelector(".says") && says.has(rule)) {
      step.querySelector("h2").after(says.get(rule).cloneNode(true));
    }
    for (const field of step.querySelectorAll("tbody th")) {
      if (field.querySelector("small")) continue;
      const head = field.closest("table").rows[0].cells[0].textContent;
      const meaning = meanings.get(`${head === "revealed" ? rule : ""}/${field.textContent}`);
      if (meaning) field.append(meaning.cloneNode(true));
    }
    for (const panel of step.querySelectorAll(".panel.same, .panel.part, .why.same")) {
      const from = document.querySelector(panel.querySelector("a").hash);
      fill(from);
      panel.replaceWith(panel.matches(".why") ? from.querySelector(".why").cloneNode(true)
        : completed(panel, from));
    }
  };

  /* A panel as at an earlier step, where it is whole, with those pieces that are others now. */
  const completed = (panel, from) => {
    const part = panel.matches(".part");
    const title = part ? panel.firstChild.textContent : panel.firstChild.data.slice(0, -": ".length);
    const copy = [...from.querySelectorAll(".panel:not(.screen, .bad)")]
      .find((one) => one.firstChild.textContent === title).cloneNode(true);
    copy.querySelectorAll(".chip").forEach((chip) => chip.remove());
    copy.querySelectorAll(".new").forEach((piece) => piece.classList.remove("new"));
    if (part) {
      const now = [...panel.querySelector(".pieces").children];
      const places = panel.dataset.at.split(" ").map((n) => copy.querySelector(".pieces").children[n]);
      places.forEach((place, n) => place.replaceWith(now[n]));
    }
    return copy;
  };

  const show = (number, follow) => {
    const next = Math.min(Math.max(number, 0), steps.length - 1);
    if (next === at) return;
    at = next;
    fill(steps[at]);
    steps.forEach((step, n) => { step.hidden = n !== at; });
    links.forEach((link, n) => {
      if (n === at) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    const bar = links[at].closest("ol");
    bar.scrollLeft = links[at].offsetLeft - bar.offsetLeft - bar.clientWidth / 2;
    const [step, last] = [steps[at], steps[steps.length - 1]].map((one) => one.id.split("-")[1]);
    where.textContent = `Step ${step} of ${last}: ${nameOf(steps[at])}`;
    /* aria-disabled keeps the focus where it is when an end is reached */
    for (const [go, button] of buttons) {
      const end = go === "first" || go === "back" ? at === 0 : at === steps.length - 1;
      button.setAttribute("aria-disabled", String(end));
    }
    if (follow) history.replaceState(null, "", `#${steps[at].id}`);
  };

  const go = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => Infinity };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  for (const [name, button] of buttons) {
    button.addEventListener("click", () => show(go[name](), true));
  }
  addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const other = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!name || other || event.target.closest("input, textarea, select, pre")) return;
    event.preventDefault();
    show(go[name](), true);
  });
  addEventListener("hashchange", () => { show(numbered(), false); scrollTo(0, 0); });
  addEventListener("beforeprint", () => steps.forEach((step) => { fill(step); step.hidden = false; }));
  addEventListener("afterprint", () => steps.forEach((step, n) => { step.hidden = n !== at; }));
  document.documentElement.classList.add("js");
  document.querySelectorAll("[hidden]").forEach((one) => { one.hidden = false; });
  show(numbered(), false);
})();
