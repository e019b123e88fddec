"use strict";
(function () {
  const all = (selector, inside) => Array.from((inside || document).querySelectorAll(selector));

  // A value may stand in a closed list: open it, then go there.
  function open(wanted) {
    let opened = false;
    const own = wanted.querySelector(":scope > details.item");
    if (own && !own.open) opened = own.open = true;
    for (let box = wanted.closest("details"); box; box = box.parentElement.closest("details")) {
      opened = opened || !box.open;
      box.open = true;
    }
    return opened;
  }
  function reveal() {
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!wanted) return;
    const opened = open(wanted);
    if (wanted === document.activeElement) return;
    if (opened || wanted.matches("tr")) wanted.scrollIntoView();
    if (wanted.matches("tr")) wanted.focus({ preventScroll: true });
  }
  window.addEventListener("hashchange", reveal);

  // Print shows what the screen folds away.
  const folded = [];
  window.addEventListener("beforeprint", () => {
    for (const box of all("details:not([open])")) {
      box.open = true;
      folded.push(box);
    }
  });
  window.addEventListener("afterprint", () => {
    while (folded.length) folded.pop().open = false;
  });

  // What a mark says, on hover and on focus; Escape takes it away.
  function notes() {
    const marks = all("[data-say]");
    if (!marks.length) return;
    const note = document.createElement("div");
    note.className = "say";
    note.setAttribute("role", "tooltip");
    note.hidden = true;
    document.body.append(note);
    let shown = null;
    const show = (mark) => {
      shown = mark;
      note.textContent = mark.dataset.say;
      note.hidden = false;
      const place = mark.getBoundingClientRect();
      const left = Math.min(place.left, document.documentElement.clientWidth - note.offsetWidth - 8);
      note.style.left = Math.max(4, left) + "px";
      const below = place.bottom + 6;
      const above = place.top - note.offsetHeight - 6;
      note.style.top = (below + note.offsetHeight > innerHeight && above > 0 ? above : below) + "px";
    };
    const hide = () => { note.hidden = true; };
    for (const kind of ["mouseover", "focusin"]) {
      document.addEventListener(kind, (event) => {
        const cell = event.target.closest("td.v, [data-say]");
        const mark = cell && (cell.matches("[data-say]") ? cell : cell.querySelector("[data-say]"));
        if (mark) show(mark); else if (!note.contains(event.target)) hide();
      });
    }
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    // The page may move under the pointer, as when an image above comes in: the note goes along.
    document.addEventListener("scroll", () => {
      if (note.hidden) return;
      const cell = shown.closest("td.v") || shown;
      if (cell.matches(":hover") || shown === document.activeElement) show(shown); else hide();
    }, { passive: true, capture: true });
    // One stop for the tabulator in each table; arrows move inside it.
    for (const table of all("table.numbers")) {
      const own = all("a.mark", table);
      own.forEach((mark, place) => { mark.tabIndex = place ? -1 : 0; });
      table.addEventListener("keydown", (event) => {
        const place = own.indexOf(document.activeElement);
        if (place < 0) return;
        const here = own[place].closest("td");
        const row = (other) => other.closest("tr").rowIndex;
        const same = (other) => other.closest("td").cellIndex === here.cellIndex;
        const up = own.filter((other) => same(other) && row(other) < here.parentElement.rowIndex);
        const down = own.filter((other) => same(other) && row(other) > here.parentElement.rowIndex);
        const to = {
          ArrowRight: own[place + 1], ArrowLeft: own[place - 1], ArrowDown: down[0],
          ArrowUp: up[up.length - 1], Home: own[0], End: own[own.length - 1],
        }[event.key];
        if (!to) return;
        event.preventDefault();
        own[place].tabIndex = -1;
        to.tabIndex = 0;
        to.focus();
      });
    }
  }

  // The next and the previous value that does not confirm, over the pages of a publication.
  function steps() {
    const bar = document.querySelector(".steps");
    if (!bar) return;
    bar.hidden = false;
    const keys = document.getElementById("keys");
    const told = document.getElementById("step");
    const stops = all("tr.line[id]").filter((row) => row.matches(".differs, .fails, .erratum, .inconsistent"));
    let place = -1;
    function current(way) {
      if (place >= 0 && document.activeElement === stops[place]) return place + way;
      const at = document.activeElement === document.body ? null : document.activeElement;
      const after = (row) => at
        ? at.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING
        : row.closest("article").getBoundingClientRect().bottom > 80;
      const first = stops.findIndex(after);
      const next = first < 0 ? stops.length : first;
      return way > 0 ? next : next - 1;
    }
    function step(way) {
      const to = current(way);
      if (to >= 0 && to < stops.length) {
        place = to;
        open(stops[to]);
        location.replace("#" + stops[to].id);
        stops[to].scrollIntoView({ block: "center" });
        stops[to].focus({ preventScroll: true });
        told.textContent = (to + 1) + " of " + stops.length + " on this page";
        return;
      }
      const page = way > 0 ? bar.dataset.after : bar.dataset.before;
      if (page) location.href = page; else told.textContent = "no more in this publication";
    }
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("[data-step]");
      if (!button) return;
      if (document.activeElement === button && place >= 0) stops[place].focus({ preventScroll: true });
      step(Number(button.dataset.step));
    });
    document.addEventListener("keydown", (event) => {
      if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
      if (event.key === "n") step(1);
      if (event.key === "p") step(-1);
    });
    document.getElementById("unfold").addEventListener("change", (event) => {
      for (const item of all("details.item")) item.open = event.target.checked;
    });
    document.getElementById("only").addEventListener("change", (event) => {
      document.body.classList.toggle("only", event.target.checked);
    });
  }

  // A figure by itself, as large as the window.
  function enlarge() {
    const links = all("a.enlarge");
    if (!links.length || !window.HTMLDialogElement) return;
    const box = document.createElement("dialog");
    box.className = "large";
    box.setAttribute("aria-label", "Figure, enlarged");
    box.innerHTML = '<form method="dialog"><button class="button">Close</button></form><div class="scroll" tabindex="0" role="region" aria-label="Figure"></div>';
    document.body.append(box);
    for (const link of links) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const image = new Image();
        image.src = link.href;
        image.alt = link.querySelector("img").alt;
        box.lastElementChild.replaceChildren(image);
        box.showModal();
      });
    }
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  }

  // Where one is, in the contents.
  function follow() {
    const links = new Map(all(".walk .contents a[href^='#']").map((link) => [link.hash.slice(1), link]));
    if (!links.size || !window.IntersectionObserver) return;
    const seen = new Set();
    const articles = all("article.artefact");
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
      const first = articles.find((article) => seen.has(article));
      for (const [name, link] of links) {
        const here = first && name === first.id;
        if (here && !link.hasAttribute("aria-current")) {
          link.setAttribute("aria-current", "location");
          const list = link.closest("nav");
          const away = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
          if (away < 0 || away > list.clientHeight - 40) list.scrollTop += away - list.clientHeight / 2;
        }
        if (!here) link.removeAttribute("aria-current");
      }
    }, { rootMargin: "-120px 0px -40% 0px" });
    articles.forEach((article) => watch.observe(article));
    if (matchMedia("(max-width: 68rem)").matches) document.querySelector(".walk .contents details").open = false;
  }

  // The threshold of the first page.
  function teaser() {
    const slider = document.getElementById("teaser");
    if (!slider) return;
    const drawn = slider.closest("section").querySelector("svg");
    const points = JSON.parse(drawn.dataset.points);
    const show = () => {
      const [wrong, right] = points[slider.value];
      const dot = drawn.querySelector("circle");
      dot.setAttribute("cx", 100 * wrong);
      dot.setAttribute("cy", 100 - 100 * right);
      const said = `finds ${(100 * right).toFixed(0)} % of the positives; ${(100 * wrong).toFixed(0)} % of the negatives are false alarms`;
      document.getElementById("teaser-said").textContent = `This threshold ${said}. In the explorer: costs, priors and the F-measure.`;
      slider.setAttribute("aria-valuetext", said);
    };
    slider.addEventListener("input", show);
    show();
  }

  // The menu closes when one looks elsewhere.
  function menu() {
    const box = document.querySelector("details.menu");
    document.addEventListener("click", (event) => { if (!box.contains(event.target)) box.open = false; });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !box.open) return;
      box.open = false;
      box.firstElementChild.focus();
    });
  }

  menu();
  teaser();
  notes();
  steps();
  enlarge();
  follow();
  reveal();
})();
