"use strict";
(function () {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const fields = ["work", "outcome", "evidence", "sort", "verdict", "text"];
  // So that "t_1" and "t1" find t with a lowered 1.
  const key = (text) => text.normalize("NFKC").toLowerCase().replace(/[_{}]/g, "").replace(/−/g, "-");
  // So that "fig. 4" and "Table 2.3" find exactly these, with their parts (4a), and not 40 or 2.34.
  const kinds = {
    fig: "figure", figs: "figure", figure: "figure", tab: "table", table: "table",
    eq: "eq", eqs: "eq", equation: "eq", alg: "algorithm", algorithm: "algorithm",
    theorem: "theorem", lemma: "lemma", text: "text", section: "text",
  };
  const label = new RegExp("\\b(" + Object.keys(kinds).join("|") + ")\\b\\.?[\\s-]*([a-z]\\.)?(\\d[\\w.-]*)", "g");
  const rows = Array.from(document.querySelectorAll("#ledger tbody tr"), (row) => ({
    row,
    work: row.dataset.work,
    verdict: row.dataset.verdict,
    outcome: row.dataset.outcome,
    evidence: row.dataset.evidence,
    sort: row.dataset.sort,
    label: row.dataset.label.toLowerCase(),
    text: key(row.textContent + " " + row.dataset.verdict + " " + row.dataset.work + " " + row.dataset.label + " " + (row.dataset.names || "")),
  }));

  function asked(text) {
    const labels = [];
    const rest = key(text).replace(label, (whole, kind, letter, number) => {
      labels.push(kinds[kind] + "-" + (letter || "") + number.replace(/[.-]+$/, ""));
      return " ";
    });
    return { labels, words: rest.split(/\s+/).filter(Boolean) };
  }

  // An artefact, its parts, or, while it is still being typed, all that begin like it.
  function matcher(wanted) {
    const part = (line) => line.label.startsWith(wanted) && /^(?:$|[a-z-])/.test(line.label.slice(wanted.length));
    return rows.some(part) ? part : (line) => line.label.startsWith(wanted);
  }

  // Where no line has all words, those that have most of them.
  function apply() {
    const exact = fields.filter((name) => name !== "text" && form[name].value);
    const { labels, words } = asked(form.text.value);
    const tests = labels.map(matcher).concat(words.map((word) => (line) => line.text.includes(word)));
    let most = 0;
    for (const line of rows) {
      const chosen = exact.every((name) => line[name] === form[name].value
        || (name === "outcome" && form[name].value === "tested" && line.outcome !== "not testable"));
      line.met = chosen ? tests.filter((test) => test(line)).length : -1;
      most = Math.max(most, line.met);
    }
    const needed = most || tests.length;
    let count = 0;
    for (const line of rows) {
      line.row.hidden = line.met < needed;
      count += line.met >= needed;
    }
    const few = most && most < tests.length ? ": none has all words, these have " + most + " of " + tests.length : "";
    shown.textContent = count.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " values" + few;
  }

  function remember() {
    const wanted = new URLSearchParams();
    for (const name of fields) {
      if (form[name].value) wanted.set(name, form[name].value);
    }
    history.replaceState(null, "", "#" + (wanted.toString() || "all"));
  }

  // The search box of other pages asks by "?text=...", links and bookmarks by "#verdict=...".
  function recall() {
    const wanted = new URLSearchParams(location.hash.slice(1) || location.search || "outcome=tested");
    for (const name of fields) form[name].value = wanted.get(name) || "";
    apply();
  }

  form.addEventListener("input", () => { apply(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { apply(); remember(); }));
  window.addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
})();
