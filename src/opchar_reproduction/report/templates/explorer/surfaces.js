// Figures of three dimensions that can be turned, loaded when asked for.
"use strict";
(function () {
  window.OPCHAR_SURFACES = window.OPCHAR_SURFACES || {};
  const { charts } = window.OpChar;

  // Numbers are kept as whole multiples of one ten-thousandth.
  const whole = (values) => values.map((value) => value === null ? null : value / 10000);
  const rows = (values, width) => Array.from({ length: values.length / width }, (_, k) => values.slice(k * width, (k + 1) * width));

  function trace(part) {
    const found = { ...part, x: whole(part.x), y: whole(part.y), z: whole(part.z) };
    if (part.shade) found.shade = whole(part.shade);
    if (part.kind === "surface") for (const key of ["x", "y", "z", "shade"]) if (found[key]) found[key] = rows(found[key], part.width);
    return found;
  }

  async function open(button) {
    const place = button.closest(".turned"), said = place.querySelector("[role=status]");
    button.disabled = true;
    said.textContent = "Loading";
    try {
      await Promise.all([charts.load(), charts.script(button.dataset.src)]);
      const views = window.OPCHAR_SURFACES[button.dataset.name];
      const holder = place.querySelector(".views"), draws = [];
      for (const each of views) {
        const figure = document.createElement("figure");
        const box = document.createElement("div"), turn = document.createElement("p"), words = document.createElement("figcaption");
        box.className = "view";
        turn.className = "turners";
        words.textContent = each.words;
        box.setAttribute("role", "img");
        box.setAttribute("aria-label", each.words);
        figure.append(box, turn, words);
        holder.append(figure);
        charts.turners(box, turn);
        draws.push(() => charts.view(box, each.axes, each.parts.map(trace), each.ranges));
      }
      // Drawn when all have their place, as their width depends on their number.
      for (const draw of draws) {
        await draw();
        charts.whenColoursChange(draw);
      }
      said.textContent = "";
      button.remove();
      holder.querySelector("input").focus();
    } catch (error) {
      said.textContent = `It cannot be shown: ${error.message || error}.`;
      button.disabled = false;
    }
  }

  for (const button of document.querySelectorAll(".turned button")) {
    button.closest(".turned").hidden = false;
    button.addEventListener("click", () => open(button));
  }
})();
