// The page on which one operating point is moved through every space.
"use strict";
(function () {
  const { two, three, charts } = window.OpChar;
  const given = window.OPCHAR_TABLES;
  const id = (name) => document.getElementById(name);
  const say = (name, text) => { id(name).textContent = text; };
  const short = (value, digits = 3) => {
    if (value === Infinity) return "infinity";
    if (Number.isNaN(value)) return "undefined";
    return Number(value.toPrecision(digits)).toString();
  };
  const share = (value) => `${short(100 * value)}\u00a0%`;

  // ---- two classes ----
  const sum = (steps) => { let total = 0; return steps.map((step) => { total += step; return total; }); };
  const entries = (tables) => tables.map((table) => ({ ...table }));
  const pairs = entries(given.two), triples = entries(given.three);
  const state = { points: null, table: null, place: 0, prior: 0.5, m: 0.5, alpha: 0.5, aim: "cost" };

  function unpacked(table) {
    return {
      fp: [0, ...sum(table.fp)], tp: [0, ...sum(table.tp)], thresholds: [Infinity, ...table.thresholds],
      negatives: table.negatives, positives: table.positives,
    };
  }

  // What a table is of; a closed list shows the model alone.
  const named = (table) => `${table.data}: ${table.told}`;

  function options(select, tables) {
    const groups = new Map();
    tables.forEach((table, place) => {
      if (!groups.has(table.data)) {
        const group = document.createElement("optgroup");
        group.label = table.data;
        groups.set(table.data, group);
      }
      groups.get(table.data).append(new Option(table.model, place));
    });
    select.replaceChildren(...groups.values());
  }

  function use(points, table) {
    state.points = points;
    state.table = table;
    state.hull = two.upperHull(points);
    state.cost = two.lowerEnvelope(points, state.hull);
    state.probabilities = table.probabilities ?? two.areProbabilities(points);
    const slider = id("threshold");
    slider.max = two.size(points) - 1;
    if (state.aim === "hand") {
      state.aim = "cost";
      id("aim-cost").checked = true;
    }
    state.prior = Math.min(Math.max(points.positives / (points.positives + points.negatives), 0.0001), 0.9999);
    put("prior", state.prior);
    say("told", named(table));
    state.areas = null;
    const all = Array.from(points.fp.keys());
    state.curves = { hull: two.curve(points, state.hull), moving: two.curve(points, two.sketch(points)), exact: two.curve(points, all) };
    show();
  }

  // A prior, and m by how many times a false alarm a miss costs, on a slider of log odds.
  const LIMITS = { prior: [0.0001, 0.9999], m: [0.0001, 10000], alpha: [0, 1] };
  const toSlider = { prior: (value) => Math.log10(value / (1 - value)), m: (value) => Math.log10((1 - value) / value), alpha: Number };
  const fromSlider = { prior: (value) => 1 / (1 + 10 ** -value), m: (value) => 1 / (1 + 10 ** value), alpha: Number };
  const toNumber = { prior: Number, m: (value) => (1 - value) / value, alpha: Number };
  const fromNumber = { prior: Number, m: (value) => 1 / (1 + value), alpha: Number };

  function put(name, value) {
    state[name] = value;
    id(name).value = toSlider[name](value);
    id(`${name}-number`).value = short(toNumber[name](value), 4);
  }

  function conditions() {
    const { points, hull, prior, m, alpha } = state;
    const pc = two.probabilityCost(prior, m);
    const f = two.upperEnvelope(points, hull, alpha);
    const cost = { envelope: state.cost, range: two.rangeAt(state.cost, pc), at: pc };
    const best = { envelope: f, range: two.rangeAt(f, prior), at: prior };
    return { pc, cost, f: best };
  }

  const placeIn = (found) => found.envelope.places[found.range];

  function measures(place, pc) {
    const { points, prior, alpha } = state;
    const right = two.tpr(points, place), wrong = two.fpr(points, place);
    return {
      right, wrong, threshold: points.thresholds[place], precision: two.precision(right, wrong, prior),
      cost: two.expectedCost(right, wrong, pc), f: two.fMeasure(right, wrong, prior, alpha),
    };
  }

  function rule(place) {
    const threshold = state.points.thresholds[place];
    if (threshold === Infinity) return "accept none";
    if (place === two.size(state.points) - 1) return "accept all";
    return `accept scores at or above ${threshold}`;
  }

  function range(found, name) {
    const [low, high] = [found.envelope.breakpoints[found.range], found.envelope.breakpoints[found.range + 1]];
    return `${name} from ${short(low)} to ${short(high)}`;
  }

  function words(found) {
    const cheap = measures(placeIn(found.cost), found.pc), high = measures(placeIn(found.f), found.pc);
    const { m, alpha, prior } = state;
    const price = m === 0.5 ? "a miss costs as much as a false alarm" : m < 0.5 ? `a miss costs ${short((1 - m) / m)} times as much as a false alarm` : `a false alarm costs ${short(m / (1 - m))} times as much as a miss`;
    say("best-cost", `With ${share(prior)} positives, where ${price}, the cheapest is to ${rule(placeIn(found.cost))}: it finds ${share(cheap.right)} of the positives, with ${share(cheap.wrong)} false alarms among the negatives; normalised expected cost ${short(cheap.cost)}. This threshold stays cheapest for ${range(found.cost, "PC(+)")} (here ${short(found.pc)}).`);
    say("best-f", `The largest F-measure with weight ${short(alpha)} of precision is ${short(high.f)}: ${rule(placeIn(found.f))}; recall ${share(high.right)}, precision ${share(high.precision)}. This threshold stays best for ${range(found.f, "P(+)")}.`);
    const now = measures(state.place, found.pc);
    const cells = [rule(state.place), now.right, now.wrong, now.precision, now.cost, cheap.cost, now.f, high.f];
    id("numbers").replaceChildren(...cells.map((value) => {
      const cell = document.createElement("td");
      cell.className = typeof value === "number" ? "number" : "name";
      cell.textContent = typeof value === "number" ? short(value, 4) : value;
      return cell;
    }));
    id("threshold").value = state.place;
    id("threshold").setAttribute("aria-valuetext", rule(state.place));
    say("threshold-said", rule(state.place));
  }

  const STILL = 150;
  const GRID = Array.from({ length: 201 }, (_, k) => k / 200);
  const PRIORS = Array.from({ length: 61 }, (_, k) => fromSlider.prior(-4 + 8 * k / 60));

  function exact(envelope, value) {
    const xs = [...new Set([...GRID, ...envelope.breakpoints])].sort((a, b) => a - b);
    return { x: xs, y: xs.map((x) => { const place = envelope.places[two.rangeAt(envelope, x)]; return value(two.tpr(state.points, place), two.fpr(state.points, place), x); }) };
  }

  function inSight(box) {
    const { top, bottom } = box.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }

  // While something moves, the charts in sight are drawn, and their curves from some thresholds.
  function draw(found, moving = false) {
    if (!window.Plotly) return;
    const { points, prior, alpha, place, curves } = state;
    const at = measures(place, found.pc), every = moving ? curves.moving : curves.exact, top = curves.hull;
    const chart = (name, ...rest) => { if (!moving || inSight(id(name))) charts.chart(id(name), ...rest); };
    const line = (x, y, name, colour, more = {}) => ({ x, y, name, colour, ...more });
    const dot = (x, y) => line([x], [y], "chosen threshold", "second", { marker: "circle" });
    chart("roc", "ROC", { x: "FPR", y: "TPR" }, [line(every.fpr, every.tpr, "every threshold", "soft"), line(top.fpr, top.tpr, "convex hull", "first"), dot(at.wrong, at.right)]);
    const precise = (curve) => curve.tpr.map((right, k) => two.precision(right, curve.fpr[k], prior));
    chart("pr", `Precision and recall at P(+) = ${short(prior)}`, { x: "recall (TPR)", y: "precision" }, [line(every.tpr, precise(every), "every threshold", "soft"), line(top.tpr, precise(top), "convex hull", "first"), dot(at.right, at.precision)]);
    state.areas = state.areas || PRIORS.map((each) => two.exactAuprec(points, each));
    chart("p-roc", "P-ROC: precision over P(+)", { x: "P(+)", y: "precision", log: true, xrange: [-4, 0] }, [
      line(PRIORS, state.areas, "area under precision-recall", "first"),
      line(PRIORS, PRIORS.map((each) => two.precision(at.right, at.wrong, each)), "precision of the chosen threshold", "second", { dash: "dash" }), dot(prior, at.precision)]);
    const own = line([0, 1], [at.wrong, 1 - at.right], "chosen threshold", "second", { dash: "dash" });
    const envelope = exact(found.cost.envelope, two.expectedCost);
    const ceiling = { x: "PC(+)", y: "normalised expected cost", yrange: [-0.01, 0.62] };
    const trivial = line([0, 0.5, 1], [0, 0.5, 0], "accept all or none", "soft", { dash: "dot", width: 1.5 });
    const least = line(envelope.x, envelope.y, "lower envelope", "first");
    chart("cost", "Cost", ceiling, [trivial, least, own, dot(found.pc, at.cost)]);
    const brier = state.probabilities ? [line(GRID, GRID.map((pc) => two.brierCurve(points, pc)), "scores believed", "third", { dash: "dashdot" })] : [];
    chart("brier", state.probabilities ? "Brier curve" : "Brier curve: scores are not in [0, 1]", ceiling, [trivial, least, ...brier, dot(found.pc, at.cost)]);
    const f = exact(found.f.envelope, (right, wrong, x) => two.fMeasure(right, wrong, x, alpha));
    chart("f", `F-measure, weight of precision ${short(alpha)}`, { x: "P(+)", y: "F" }, [
      line(f.x, f.y, "upper envelope", "first"), line(GRID, GRID.map((x) => two.fMeasure(at.right, at.wrong, x, alpha)), "chosen threshold", "second", { dash: "dash" }), dot(prior, at.f)]);
  }

  let frame = 0, still = 0;
  function show(moving = false) {
    const found = conditions();
    if (state.aim === "cost") state.place = placeIn(found.cost);
    if (state.aim === "f") state.place = placeIn(found.f);
    words(found);
    cancelAnimationFrame(frame);
    clearTimeout(still);
    frame = requestAnimationFrame(() => draw(found, moving));
    if (state.started && !moving) keep();
  }

  // The address names the setting: it can be kept, sent and loaded again.
  const AIMS = ["cost", "f", "hand"];
  function keep() {
    const { table, aim, points, place } = state;
    const asked = new URLSearchParams({ data: table.data, model: table.model, aim });
    for (const name of ["prior", "m", "alpha"]) asked.set(name, short(toNumber[name](state[name]), 6));
    if (aim === "hand") asked.set("threshold", points.thresholds[place]);
    history.replaceState(null, "", `#${asked}`);
  }

  function restore() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const at = pairs.findIndex((table) => table.data === asked.get("data") && table.model === asked.get("model"));
    if (at < 0) return;
    id("table").value = at;
    use(unpacked(pairs[at]), pairs[at]);
    for (const name of ["prior", "m", "alpha"]) {
      const value = Number(asked.get(name)), [low, high] = LIMITS[name];
      if (asked.has(name) && value >= low && value <= high) put(name, fromNumber[name](value));
    }
    state.aim = AIMS.includes(asked.get("aim")) ? asked.get("aim") : "cost";
    id(`aim-${state.aim}`).checked = true;
    state.place = Math.max(0, state.points.thresholds.findIndex((each) => String(each) === asked.get("threshold")));
    show();
  }

  // What is drawn once a slider is let go; a key that is held down lets go at each step.
  function settle() {
    clearTimeout(still);
    still = setTimeout(show, STILL);
  }

  function listen() {
    for (const name of ["prior", "m", "alpha"]) {
      id(name).addEventListener("input", () => { state[name] = fromSlider[name](Number(id(name).value)); id(`${name}-number`).value = short(toNumber[name](state[name]), 4); show(true); });
      id(`${name}-number`).addEventListener("input", () => {
        const value = Number(id(`${name}-number`).value), [low, high] = LIMITS[name];
        const right = id(`${name}-number`).value !== "" && value >= low && value <= high;
        id(`${name}-number`).setAttribute("aria-invalid", String(!right));
        say("charts-said", right ? "" : `${id(name).labels[0].textContent}: a number from ${low} to ${high}. The page shows the last valid one.`);
        if (right) { state[name] = fromNumber[name](value); id(name).value = toSlider[name](state[name]); show(); }
      });
    }
    id("threshold").addEventListener("input", () => { state.aim = "hand"; id("aim-hand").checked = true; state.place = Number(id("threshold").value); show(true); });
    for (const name of ["prior", "m", "alpha", "threshold"]) id(name).addEventListener("change", settle);
    for (const aim of AIMS) id(`aim-${aim}`).addEventListener("change", () => { state.aim = aim; show(); });
    id("table").addEventListener("change", () => { const table = pairs[id("table").value]; use(unpacked(table), table); });
  }

  // What the page opens with.
  function first() {
    if (pairs.length) {
      const opening = pairs[given.opening];
      id("table").value = given.opening;
      use(unpacked(opening), opening);
    }
    if (triples.length) useThree(triples[0]);
  }

  // ---- three classes ----
  const STEPS = three.weightSteps(41);
  const third = { table: null, seen: false };

  function useThree(table) {
    if (!table.scores) {
      const scores = [];
      for (let k = 0; k < table.flat.length; k += 3) scores.push(table.flat.slice(k, k + 3));
      table.scores = scores;
    }
    third.table = table;
    third.sizes = three.classSizes(table.labels);
    third.lattice = three.lattice(table.labels, table.scores, STEPS);
    third.rates = third.lattice.map((point) => three.recognised(point.counts, third.sizes));
    say("told-three", named(table));
    table.classes.forEach((name, c) => {
      for (const cell of document.querySelectorAll(`[data-class="${c}"]`)) cell.textContent = name;
      for (let j = 0; j < 3; j += 1) if (j !== c) id(`cost-${c}${j}`).labels[0].textContent = `Cost of taking ${name} for ${table.classes[j]}`;
    });
    showThree();
  }

  function costs() {
    return [0, 1, 2].map((i) => [0, 1, 2].map((j) => {
      if (i === j) return 0;
      const input = id(`cost-${i}${j}`), value = Number(input.value);
      const right = input.value !== "" && value >= 0 && Number.isFinite(value);
      input.setAttribute("aria-invalid", String(!right));
      return right ? value : 1;
    }));
  }

  function showThree() {
    const { table, sizes } = third, total = table.labels.length;
    const priors = sizes.map((size) => size / total), prices = costs();
    const best = three.cheapest(third.lattice, sizes, prices, priors);
    const equal = three.loss(three.confusion(table.labels, table.scores, [1, 1, 1]), sizes, prices, priors);
    third.best = best;
    const rates = three.recognised(best.counts, sizes);
    say("best-three", `Of ${STEPS.length} × ${STEPS.length} combinations the cheapest weighs ${table.classes.map((name, c) => `${name} ${short(best.weights[c])}`).join(", ")}: expected cost of an object ${short(best.loss, 4)}, and ${short(equal, 4)} with equal weights. Recognised: ${table.classes.map((name, c) => `${name} ${share(rates[c])}`).join(", ")}.`);
    for (let i = 0; i < 3; i += 1) for (let j = 0; j < 3; j += 1) say(`count-${i}${j}`, best.counts[i * 3 + j]);
    cancelAnimationFrame(third.frame);
    third.frame = requestAnimationFrame(() => drawThree(rates));
  }

  function drawThree(rates) {
    if (!window.Plotly || !third.seen) return;
    const n = STEPS.length, sheet = (c) => Array.from({ length: n }, (_, k) => third.rates.slice(k * n, (k + 1) * n).map((point) => point[c]));
    const axes = third.table.classes.map((name) => `recognised: ${name}`);
    charts.view(id("surface"), axes, [
      { kind: "surface", name: "all weights", x: sheet(0), y: sheet(1), z: sheet(2), opacity: 0.75 },
      { kind: "mark", name: "chosen weights", x: [rates[0]], y: [rates[1]], z: [rates[2]], colour: "second" },
    ], [[0, 1], [0, 1], [0, 1]]);
  }

  function start() {
    for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
    for (const name of ["prior", "m", "alpha"]) put(name, state[name]);
    listen();
    options(id("table"), pairs);
    options(id("table-three"), triples);
    first();
    restore();
    state.started = pairs.length > 0;
    addEventListener("hashchange", restore);
    id("two").hidden = !pairs.length;
    for (const input of document.querySelectorAll(".costs input")) input.addEventListener("input", showThree);
    id("table-three").addEventListener("change", () => useThree(triples[id("table-three").value]));
    const redraw = () => { if (state.points) draw(conditions()); if (third.table) drawThree(three.recognised(third.best.counts, third.sizes)); };
    charts.turners(id("surface"), id("surface-turn"));
    // Three dimensions take a second to begin with: they wait until they are looked at.
    new IntersectionObserver((seen, watch) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      third.seen = true;
      watch.disconnect();
      redraw();
    }, { rootMargin: "200px" }).observe(id("surface"));
    charts.whenColoursChange(redraw);
    charts.load().then(redraw, (error) => say("charts-said", `The charts cannot be drawn: ${error.message}.`));
  }

  start();
})();
