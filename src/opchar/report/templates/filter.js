"use strict";
(function () {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  // So that "t_1" and "t1" find t with a lowered 1.
  const key = (text) => text.normalize("NFKC").toLowerCase().replace(/[_{}]/g, "");
  const rows = Array.from(document.querySelectorAll("#ledger tbody tr"), (row) => ({
    row,
    work: row.dataset.work,
    verdict: row.dataset.verdict,
    text: key(row.textContent + " " + row.dataset.label),
  }));

  function apply() {
    const work = form.work.value;
    const verdict = form.verdict.value;
    const words = key(form.text.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const line of rows) {
      const fits =
        (!work || line.work === work) &&
        (!verdict || line.verdict === verdict) &&
        words.every((word) => line.text.includes(word));
      line.row.hidden = !fits;
      count += fits;
    }
    shown.textContent = count + " of " + rows.length + " lines";
  }

  function remember() {
    const wanted = new URLSearchParams();
    for (const name of ["work", "verdict", "text"]) {
      if (form[name].value) wanted.set(name, form[name].value);
    }
    history.replaceState(null, "", "#" + wanted.toString());
  }

  function recall() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of ["work", "verdict", "text"]) {
      form[name].value = wanted.get(name) || "";
    }
    apply();
  }

  form.addEventListener("input", () => { apply(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { apply(); remember(); }));
  window.addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
})();
