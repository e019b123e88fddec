"use strict";
(function () {
  const points = JSON.parse(document.getElementById("explorer-data").textContent);
  const place = document.querySelector(".explorer");
  if (!place || !Object.keys(points).length) return;
  place.hidden = false;
  const input = (name) => Number(document.getElementById(name).value);
  const say = (name, text) => { document.getElementById(name + "-said").textContent = text; };
  const round = (value, digits = 4) => typeof value === "string" ? value : Number(value.toPrecision(digits)).toString();

  function best(list, value) {
    let found = list[0];
    for (const point of list) if (value(point) > value(found)) found = point;
    return found;
  }

  function show() {
    const prior = 10 ** input("prior"), ratio = 10 ** input("ratio"), alpha = input("alpha");
    say("prior", round(prior));
    say("ratio", round(ratio));
    say("alpha", round(alpha));
    const cost = (p) => (1 - prior) * p[2] + prior * (1 - p[1]) * ratio;
    const f = (p) => OpChar.two.fMeasure(p[1], p[2], prior, alpha);
    const body = document.getElementById("explored");
    body.textContent = "";
    for (const [model, list] of Object.entries(points)) {
      for (const [aim, point, value] of [
        ["cost of an object, in false alarms", best(list, (p) => -cost(p)), cost],
        ["F", best(list, f), f],
      ]) {
        const row = body.insertRow();
        for (const cell of [model, aim]) {
          const text = row.insertCell();
          text.className = "name";
          text.textContent = cell;
        }
        for (const cell of [round(point[0], 8), round(value(point)), round(point[1]), round(point[2])]) {
          row.insertCell().textContent = cell;
        }
      }
    }
  }

  for (const name of ["prior", "ratio", "alpha"]) document.getElementById(name).addEventListener("input", show);
  show();
})();
