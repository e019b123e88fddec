"use strict";
(function () {
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const place = document.querySelector(".explorer");
  if (!place || !data.models) return;
  place.hidden = false;
  const id = (name) => document.getElementById(name);
  const names = Object.keys(data.models);
  const NS = "http://www.w3.org/2000/svg";
  const LINES = ["value", "low", "high", "band low", "band high", "tpr", "fpr"];
  const short = (value, digits = 3) => Number(value.toPrecision(digits)).toString();
  const percent = (value) => `${short(100 * value)} %`;
  const scales = {
    prior: { to: (x) => Math.log10(x / (1 - x)), from: (x) => 1 / (1 + 10 ** -x), low: 0.0001, high: 0.9999, ticks: [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999], told: percent, name: "share of positives in use" },
    ratio: { to: Math.log10, from: (x) => 10 ** x, low: 0.001, high: 1000, ticks: [0.001, 0.01, 0.1, 1, 10, 100, 1000], told: short, name: "cost of a miss over that of a false alarm" },
  };
  const state = { prior: Number(id("prior-number").value), ratio: Number(id("ratio-number").value) };

  // What a model reaches at PC(+), between the conditions that were judged.
  function at(model, pc) {
    const xs = data.pc;
    let k = 1;
    while (k < xs.length - 1 && xs[k] < pc) k += 1;
    const part = (pc - xs[k - 1]) / (xs[k] - xs[k - 1]);
    return Object.fromEntries(LINES.map((line) => {
      const values = data.models[model][line];
      return [line, values[k - 1] + part * (values[k] - values[k - 1])];
    }));
  }

  const pcOf = (prior, ratio) => OpChar.two.probabilityCost(prior, 1 / (1 + ratio));
  // Cost of an object in false alarms; net benefit in found positives.
  const scaleOf = (prior, ratio) => prior * ratio + 1 - prior;
  const shown = (cost, prior, ratio) => (id("show-benefit").checked ? prior - cost / ratio : data.base * cost);

  function threshold(model, pc) {
    const found = data.models[model].thresholds.find(([, end]) => pc < end);
    return (found || data.models[model].thresholds.at(-1))[0];
  }

  function element(name, attributes, text) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function draw() {
    const over = id("over-ratio").checked ? "ratio" : "prior", scale = scales[over];
    const width = Math.max(320, Math.min(900, id("chart").clientWidth || 640)), height = 320;
    const [left, right, top, bottom] = [62, 12, 14, 44];
    const low = scale.to(scale.low), high = scale.to(scale.high);
    const grid = [...Array.from({ length: 161 }, (_, k) => low + (high - low) * k / 160), scale.to(state[over])].sort((a, b) => a - b);
    const given = (x) => ({ ...state, [over]: scale.from(x) });
    const lines = names.map((model) => grid.map((x) => {
      const { prior, ratio } = given(x), now = at(model, pcOf(prior, ratio)), size = scaleOf(prior, ratio);
      return { x, ...Object.fromEntries(["value", "band low", "band high"].map((line) => [line, shown(now[line] * size, prior, ratio)])) };
    }));
    const none = grid.map((x) => { const { prior, ratio } = given(x); return shown(prior * ratio, prior, ratio); });
    const all = grid.map((x) => { const { prior, ratio } = given(x); return shown(1 - prior, prior, ratio); });
    const benefit = id("show-benefit").checked;
    const better = grid.map((_, k) => (benefit ? Math.max(none[k], all[k]) : Math.min(none[k], all[k])));
    // The scale follows what is near the condition, so that its differences can be seen.
    const here = grid.indexOf(scale.to(state[over]));
    const near = [better[here], ...lines.flatMap((line) => [line[here]["band high"], line[here]["band low"]])];
    const most = benefit ? Math.max(...lines.flat().map((point) => point.value), 1e-9) * 1.1 : Math.max(...near, 1e-9) * 2.2;
    const least = benefit ? -0.1 * most : 0;
    const px = (x) => left + (x - low) / (high - low) * (width - left - right);
    const py = (y) => top + (most - y) / (most - least) * (height - top - bottom);
    const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("");
    const what = benefit ? "net benefit, in found positives an object" : `cost of ${data.base.toLocaleString("en")} objects, in false alarms`;
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${what} over ${scale.name}, for ${names.join(", ")}` });
    const clip = element("clipPath", { id: "inside" });
    clip.append(element("rect", { x: left, y: top, width: width - left - right, height: height - top - bottom }));
    svg.append(clip);
    const step = 10 ** Math.floor(Math.log10((most - least) / 3));
    const unit = [1, 2, 5, 10].map((each) => each * step).find((each) => (most - least) / each <= 6);
    for (let y = Math.ceil(least / unit) * unit; y <= most; y += unit) {
      svg.append(element("line", { class: "grid", x1: left, x2: width - right, y1: py(y), y2: py(y) }));
      svg.append(element("text", { x: left - 6, y: py(y) + 4, "text-anchor": "end" }, short(Math.abs(y) < unit / 1e6 ? 0 : y)));
    }
    for (const tick of scale.ticks) {
      const x = px(scale.to(tick));
      if (x < left || (width < 500 && [0.001, 0.1, 0.99].includes(tick))) continue;
      svg.append(element("line", { class: "grid", x1: x, x2: x, y1: top, y2: height - bottom }));
      svg.append(element("text", { x, y: height - bottom + 17, "text-anchor": "middle" }, scale.told(tick)));
    }
    svg.append(element("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, scale.name));
    svg.append(element("text", { transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, what));
    const inside = element("g", { "clip-path": "url(#inside)" });
    svg.append(inside);
    lines.forEach((line, m) => {
      const band = [...line.map((point) => [point.x, point["band high"]]), ...[...line].reverse().map((point) => [point.x, point["band low"]])];
      inside.append(element("path", { class: `band c${m % 6}`, d: `${path(band)}Z` }));
    });
    inside.append(element("path", { class: "trivial", d: path(grid.map((x, k) => [x, better[k]])) }));
    lines.forEach((line, m) => inside.append(element("path", { class: `line c${m % 6} d${(m + Math.floor(m / 6)) % 3}`, d: path(line.map((point) => [point.x, point.value])) })));
    const now = px(scale.to(state[over]));
    inside.append(element("line", { class: "now", x1: now, x2: now, y1: top, y2: height - bottom }));
    lines.forEach((line, m) => inside.append(element("circle", { class: `dot c${m % 6}`, cx: now, cy: py(line[here].value), r: 4.5 })));
    id("chart").replaceChildren(svg);
  }

  function price(ratio) {
    if (short(ratio) === "1") return "a miss costs as much as a false alarm";
    if (ratio > 1) return `a miss costs ${short(ratio)} times as much as a false alarm`;
    return `a false alarm costs ${short(1 / ratio)} times as much as a miss`;
  }

  function numbers() {
    const { prior, ratio } = state, pc = pcOf(prior, ratio), size = scaleOf(prior, ratio);
    const without = Math.min(prior * ratio, 1 - prior);
    const found = names.map((model) => ({ model, ...at(model, pc) }));
    const best = found.reduce((one, other) => (other.value < one.value ? other : one));
    const doing = prior * ratio <= 1 - prior ? "accept none" : "accept all";
    const saved = 1 - best.value * size / without;
    const rule = threshold(best.model, pc), how = /^accept/.test(rule) ? rule : `accept scores at or above ${rule}`;
    const condition = `At ${percent(prior)} ${data.positive}, where ${price(ratio)}:`;
    const model = names.length > 1 ? `${best.model}, ` : "";
    id("said").textContent = saved > 1e-9  // less is rounding
      ? `${condition} ${model}${how}; ${percent(saved)} cheaper than to ${doing}.`
      : `${condition} ${doing}; no model is cheaper.`;
    id("explored").replaceChildren(...found.map((now) => {
      const row = document.createElement("tr");
      const hits = data.base * prior * now.tpr, alarms = data.base * (1 - prior) * now.fpr;
      const costs = ["low", "high"].map((end) => short(data.base * now[end] * size)).join(" to ");
      const cells = [now.model, threshold(now.model, pc), short(hits), short(data.base * prior - hits), short(alarms), hits + alarms > 0 ? percent(hits / (hits + alarms)) : "–", short(data.base * now.value * size), costs];
      cells.forEach((text, k) => {
        const cell = row.insertCell();
        cell.textContent = text;
        cell.className = k ? "number" : "name";
      });
      if (now === best) row.className = "here";
      return row;
    }));
  }

  function show() {
    numbers();
    draw();
  }

  id("legend").replaceChildren(...[...names, "cheaper of accepting all and none"].map((name, m) => {
    const item = document.createElement("li");
    const mark = element("svg", { viewBox: "0 0 24 10", "aria-hidden": "true" });
    mark.append(element("line", { class: m < names.length ? `line c${m % 6} d${(m + Math.floor(m / 6)) % 3}` : "trivial", x1: 1, x2: 23, y1: 5, y2: 5 }));
    item.append(mark, name);
    return item;
  }));
  for (const name of ["prior", "ratio"]) {
    const scale = scales[name];
    id(name).addEventListener("input", () => {
      state[name] = scale.from(Number(id(name).value));
      id(`${name}-number`).value = short(state[name], 4);
      id(`${name}-number`).removeAttribute("aria-invalid");
      show();
    });
    id(`${name}-number`).addEventListener("input", () => {
      const value = Number(id(`${name}-number`).value);
      const right = value >= scale.low && value <= scale.high;
      id(`${name}-number`).setAttribute("aria-invalid", String(!right));
      if (!right) return;
      state[name] = value;
      id(name).value = scale.to(value);
      show();
    });
  }
  for (const name of ["show-cost", "show-benefit", "over-prior", "over-ratio"]) id(name).addEventListener("change", show);
  window.addEventListener("resize", draw);
  // What is addressed or printed is open.
  const open = () => { const part = location.hash && document.getElementById(location.hash.slice(1)); if (part && part.tagName === "DETAILS") part.open = true; };
  window.addEventListener("hashchange", open);
  open();
  show();
})();
