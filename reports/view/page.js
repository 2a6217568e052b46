"use strict";
(() => {
  const steps = [...document.querySelectorAll("article")];
  const links = [...document.querySelectorAll("nav ol a")];
  const where = document.querySelector(".where");
  const buttons = new Map(
    [...document.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
  let at = -1;

  const numbered = () => {
    const found = steps.findIndex((step) => `#${step.id}` === location.hash);
    return found < 0 ? 0 : found;
  };

  /* A panel that is as it was is written once, at an earlier step: put it in. */
  const fill = (step) => {
    for (const panel of step.querySelectorAll("[data-same]")) {
      const from = document.getElementById(panel.dataset.same);
      const same = [...from.querySelectorAll("[data-key]")]
        .find((one) => one.dataset.key === panel.dataset.key);
      panel.innerHTML = same.innerHTML;
      panel.removeAttribute("data-same");
      panel.querySelectorAll(".chip").forEach((chip) => chip.remove());
      panel.querySelectorAll(".new").forEach((piece) => piece.classList.remove("new"));
    }
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
    const { step, name } = steps[at].dataset;
    where.textContent = `Step ${step} of ${steps[steps.length - 1].dataset.step}: ${name}`;
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
